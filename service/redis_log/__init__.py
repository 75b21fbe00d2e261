"""The log in Redis or Valkey: one function library, pipelined appends, pushes."""

from service.redis_log.durability import Durability
from service.redis_log.redis_log import RedisLog
from service.redis_log.settings import Settings
from service.redis_log.unfit import UnfitJanitor, UnfitStore

__all__ = ["Durability", "RedisLog", "Settings", "UnfitJanitor", "UnfitStore"]
