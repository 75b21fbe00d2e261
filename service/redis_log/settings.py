"""Settings of the log in Redis: where the store is, and every limit."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Where the store is and how far the log goes with it. Times are seconds."""

    url: str = field(repr=False)  # redis://, rediss:// or unix://, with user and password; any node of a cluster
    janitor_url: str | None = field(default=None, repr=False)  # the same store for a user who may forget; None: nobody
    strict: bool = False  # refuse a store that may lose what it has acknowledged
    replica_wait: float | None = None  # how long an append waits for one replica to have it; None: not at all

    connect_timeout: float = 2.0  # until a connection stands
    answer_timeout: float = 5.0  # until a pipeline is answered; after that nobody knows whether it was done
    moves: int = 10  # how often a call follows a slot that moves between nodes
    move_pause: float = 0.1  # between two of them

    write_queue: int = 10_000  # appends of a node that wait to be sent; more are refused
    write_batch: int = 1_000  # appends of a pipeline
    read_queue: int = 10_000  # reads of a node that wait to be sent; more are refused
    read_batch: int = 50  # reads of a pipeline: each may answer with a whole page

    resubscribe_first: float = 0.05  # the first wait before a lost subscription is tried again, then twice as long …
    resubscribe_longest: float = 2.0  # … but never longer
    ping_every: float = 5.0  # silence on a subscriber connection; after twice that it is taken for dead
    look_every: float = 3.0  # between two comparisons of the heads of watched tables
    look_batch: int = 500  # heads asked for at a time

    lease_batch: int = 1_000  # leases of a shard that are renewed at a time

    sweep_wait: float = 0.5  # that a sweep waits for shards that do not answer; what they say later, the next one tells
    lobby_ties: int = 100  # tables of one shard that may have been listed in the same millisecond
