"""How well bots play, beside others in the same seats: `make tournament`."""
