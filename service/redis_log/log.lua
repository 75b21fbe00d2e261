#!lua name=stammtisch_3

-- A table's log in three keys of one slot: KEYS[1] its entries, KEYS[2] its head, KEYS[3] its people's names.
-- What the tables of its shard share lies there too: KEYS[4] when they are due, KEYS[5] the sign of life of those who
-- look after them, KEYS[6] the lobby. KEYS[7] is the head of the table that this one is the rematch of, or its own.
-- KEYS[8], where the caller will WAIT for a replica, is the shard's canary.
-- What functions are called is global to a store, so the names carry the version: change one, and it is another library.

local function genesis()
  return string.rep('\0', 32)
end

local function stream_id(version)
  return string.format('%.0f-0', version)
end

local function head(key)
  local fields = redis.call('HMGET', key, 'version', 'hash', 'status')
  return tonumber(fields[1] or 0), fields[2] or genesis(), fields[3]
end

-- The entries after a version: a limited number of them and of their bytes, but one at least.
local function page(key, after, limit, bytes)
  local entries = {}
  for i, item in ipairs(redis.call('XRANGE', key, stream_id(after + 1), '+', 'COUNT', limit)) do
    local entry = item[2][2]
    bytes = bytes - #entry
    if i > 1 and bytes < 0 then break end
    entries[i] = entry
  end
  return entries
end

-- A script does not roll back. So what a note adds goes before the entries and what it takes away after them: one too
-- many leads somebody to a table for nothing, one too few would leave a table alone.
local function note(keys, id, due, listed, now)
  if due ~= '' and redis.call('ZADD', keys[4], due, id) == 1 and redis.call('ZCARD', keys[4]) == 1 then
    -- Nobody had to look here before, so that nobody did is no outage.
    local alive = redis.call('HMGET', keys[5], 'at')[1]
    if not alive or tonumber(alive) < tonumber(now) then redis.call('HSET', keys[5], 'at', now) end
  end
  if listed == 'yes' then redis.call('ZADD', keys[6], 'NX', now, id) end
  if keys[7] ~= keys[2] and head(keys[7]) > 0 then redis.call('HSET', keys[7], 'rematch', id) end
end

local function unnote(keys, id, due, listed)
  if due == '' then redis.call('ZREM', keys[4], id) end
  if listed == 'no' then redis.call('ZREM', keys[6], id) end
end

-- The names go first, which nobody misses should the rest fail, then the entries.
-- Returns how many processes were told.
local function write(keys, seen, hash, status, channel, names, entries)
  for i = 1, #names, 2 do
    redis.call('HSET', keys[3], names[i], names[i + 1])
  end
  local message = {hash, struct.pack('>I8', seen)}
  for i, entry in ipairs(entries) do
    redis.call('XADD', keys[1], stream_id(seen + i), 'entry', entry)
    message[i + 2] = struct.pack('>I4', #entry) .. entry
  end
  local now = redis.call('TIME')
  redis.call('HSET', keys[2], 'version', seen + #entries, 'hash', hash, 'status', status, 'time', now[1])
  return redis.call('SPUBLISH', channel, table.concat(message))
end

-- WAIT waits for what its own connection wrote, so one that found another's entry must write too.
local function found(keys, answer)
  if keys[8] then redis.call('HSET', keys[8], 'time', redis.call('TIME')[1]) end
  return answer
end

-- ARGS: version and hash that were seen, the hash and status to come, the table's id and channel, when it is due (or
-- nothing), whether the lobby lists it (`yes`, `no`, or nothing to leave the lobby alone), the time,
-- the most entries and bytes of an answer, how many seats have names; then seat and name of each; then the entries.
local function append(keys, args)
  local seen, seen_hash, hash, status = tonumber(args[1]), args[2], args[3], args[4]
  local id, channel, due, listed, now = args[5], args[6], args[7], args[8], args[9]
  local version, newest, now_status = head(keys[2])
  if seen < version then
    return found(keys, {'behind', version, newest, page(keys[1], seen, args[10], tonumber(args[11]))})
  end
  if seen > version or seen_hash ~= newest then return {'forked', version, newest} end

  local last_name = 12 + 2 * tonumber(args[12])
  local names, entries = {}, {}
  for i = 13, #args do
    local list = i <= last_name and names or entries
    list[#list + 1] = args[i]
  end
  if #entries > 0 and now_status == 'ended' then return found(keys, {'ended'}) end

  note(keys, id, due, listed, now)
  local told = #entries > 0 and write(keys, seen, hash, status, channel, names, entries) or 0
  unnote(keys, id, due, listed)
  local answer = {'committed', told}
  return #entries > 0 and answer or found(keys, answer)
end

-- ARGS: a version, the most entries and the most bytes to return after it.
local function read(keys, args)
  local version, hash = head(keys[2])
  return {version, hash, page(keys[1], tonumber(args[1]), args[2], tonumber(args[3]))}
end

-- A call may have waited at a store that was away, so the time at which it was sent may be long past.
local function newest(now)
  local time = redis.call('TIME')
  return string.format('%.0f', math.max(tonumber(now), time[1] * 1000 + math.floor(time[2] / 1000)))
end

-- Leaves a sign of life, and an outage if the last sign is too old.
local function live(alive, outages, now, alive_ms, outage_ms, outages_max)
  local last = redis.call('HMGET', alive, 'at')[1]
  local silent = last and tonumber(now) - tonumber(last)
  if silent and silent > outage_ms then
    redis.call('ZADD', outages, now, last .. ' ' .. now)
    redis.call('ZREMRANGEBYRANK', outages, 0, -outages_max - 1)
  end
  if not silent or silent >= alive_ms then redis.call('HSET', alive, 'at', now) end
end

-- What is late in a shard: KEYS[1] when its tables are due, KEYS[2] the sign of life, KEYS[3] its outages.
-- ARGS: the time, until when and how many of those that were due to return, since when outages;
-- the least milliseconds between two signs, the most without one, and how many outages to keep.
local function sweep(keys, args)
  if redis.call('ZCARD', keys[1]) > 0 then
    live(keys[2], keys[3], newest(args[1]), tonumber(args[5]), tonumber(args[6]), tonumber(args[7]))
  end
  return {
    redis.call('ZRANGEBYSCORE', keys[1], '-inf', args[2], 'WITHSCORES', 'LIMIT', 0, args[3]),
    redis.call('ZRANGEBYSCORE', keys[3], '(' .. args[4], '+inf'),
  }
end

-- Takes an ended table out of the store, and a time at which it is due. Its head stays, and says nothing but that the
-- table has ended: whoever knows its root must never be dealt cards from it again, under the same id.
-- ARGS: the table's id.
local function forget(keys, args)
  local version, _, status = head(keys[2])
  if version > 0 and status ~= 'ended' then return 'lives' end
  redis.call('HDEL', keys[2], 'version', 'hash', 'time')
  redis.call('UNLINK', keys[1], keys[3])
  redis.call('ZREM', keys[4], args[1])
  return status == 'ended' and 'forgotten' or 'never was'
end

-- Leases that have lapsed: KEYS[1] has all of a shard by when they do. Who is told of one sees to it until a later time,
-- and nobody else is told of it before. ARGS: the time, that later time, and the most to return.
local function lapsed(keys, args)
  local found = redis.call('ZRANGEBYSCORE', keys[1], '-inf', args[1], 'LIMIT', 0, args[3])
  for _, lease in ipairs(found) do redis.call('ZADD', keys[1], args[2], lease) end
  return found
end

-- Takes away a lease that was told as lapsed, unless it has been renewed since. ARGS: the lease, and the later time.
local function release(keys, args)
  for _, lease in ipairs(redis.call('ZRANGEBYSCORE', keys[1], args[2], args[2])) do
    if lease == args[1] then redis.call('ZREM', keys[1], lease) end
  end
end

-- Does once all that an append and a sweep do, and leaves one field: it proves the rights.
-- KEYS[1] entries, KEYS[2] head, KEYS[3] when tables are due. ARGS: a channel, and an id that no table has.
local function canary(keys, args)
  redis.call('XRANGE', keys[1], '-', '+', 'COUNT', 1)
  redis.call('XADD', keys[1], 'NOMKSTREAM', '1-0', 'entry', '')
  redis.call('HMGET', keys[2], 'time')
  redis.call('HSET', keys[2], 'time', redis.call('TIME')[1])
  redis.call('ZADD', keys[3], 0, args[2])
  redis.call('ZRANGEBYSCORE', keys[3], 0, 0, 'LIMIT', 0, redis.call('ZCARD', keys[3]))
  redis.call('ZREM', keys[3], args[2])
  redis.call('ZREMRANGEBYRANK', keys[3], 1, 0)
  redis.call('SPUBLISH', args[1], genesis() .. struct.pack('>I8', 0))
  return 'sings'
end

redis.register_function('stammtisch_3_append', append)
redis.register_function('stammtisch_3_sweep', sweep)
redis.register_function('stammtisch_3_forget', forget)
redis.register_function('stammtisch_3_lapsed', lapsed)
redis.register_function('stammtisch_3_release', release)
redis.register_function('stammtisch_3_canary', canary)
redis.register_function{function_name = 'stammtisch_3_read', callback = read, flags = {'no-writes'}}
