"""Play: whole games through the public API, by seats that choose at random."""

from service.play.command import main

__all__ = ["main"]
