#!lua name=stammtisch_2

-- A table's log in three keys of one slot: KEYS[1] its entries, KEYS[2] its head, KEYS[3] its people's names.
-- KEYS[4], where the caller will WAIT for a replica, is its shard's canary.
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

-- A script does not roll back. So the names go first, which nobody misses should the rest fail, then the entries.
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
  if keys[4] then redis.call('HSET', keys[4], 'time', redis.call('TIME')[1]) end
  return answer
end

-- ARGS: version and hash that were seen, the hash and status to come, the channel,
-- the most entries and bytes of an answer, how many seats have names; then seat and name of each; then the entries.
local function append(keys, args)
  local seen, seen_hash, hash, status, channel = tonumber(args[1]), args[2], args[3], args[4], args[5]
  local version, newest, now_status = head(keys[2])
  if seen < version then
    return found(keys, {'behind', version, newest, page(keys[1], seen, args[6], tonumber(args[7]))})
  end
  if seen > version or seen_hash ~= newest then return {'forked', version, newest} end
  if now_status == 'ended' then return found(keys, {'ended'}) end

  local last_name = 8 + 2 * tonumber(args[8])
  local names, entries = {}, {}
  for i = 9, #args do
    local list = i <= last_name and names or entries
    list[#list + 1] = args[i]
  end
  if #entries == 0 then return found(keys, {'committed', 0}) end
  return {'committed', write(keys, seen, hash, status, channel, names, entries)}
end

-- ARGS: a version, the most entries and the most bytes to return after it.
local function read(keys, args)
  local version, hash = head(keys[2])
  return {version, hash, page(keys[1], tonumber(args[1]), args[2], tonumber(args[3]))}
end

-- Does once all that an append does, and leaves one field: it proves the rights.
-- ARGS: a channel.
local function canary(keys, args)
  redis.call('XRANGE', keys[1], '-', '+', 'COUNT', 1)
  redis.call('XADD', keys[1], 'NOMKSTREAM', '1-0', 'entry', '')
  redis.call('HMGET', keys[2], 'time')
  redis.call('HSET', keys[2], 'time', redis.call('TIME')[1])
  redis.call('SPUBLISH', args[1], genesis() .. struct.pack('>I8', 0))
  return 'sings'
end

redis.register_function('stammtisch_2_append', append)
redis.register_function('stammtisch_2_canary', canary)
redis.register_function{function_name = 'stammtisch_2_read', callback = read, flags = {'no-writes'}}
