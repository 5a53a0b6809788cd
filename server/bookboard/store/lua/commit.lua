-- Commits the events that were decided on a room at (epoch, version), or opens a room: all of it or nothing.
--
-- KEYS  1 meta (hash)  2 snapshot (hash)  3 log (stream)  4 answers (hash)  5 due list (sorted set)
--       6 archive (string), only when a finished game is kept
-- ARGV  1 "open" or "commit"  2 room  3 feed channel  4 epoch  5 version  6 field of the answer  7 answer
--       8 "1" if the commit expires the time  9 deadline: "keep", "none", "at", "in"  10 its ms
--       11 ms that the room's keys live  12 snapshot's version or ""  13 snapshot  14 archive
--       15 most bytes to keep of a room  16… id and body of each entry, in turn
--
-- Answers {"committed", at, id before the first}, {"repeated", answer}, {"stale"}, {"time", now}, {"full"}, {"none"}.
--
-- Every check stands before the first write: Redis does not take back what a failing script has written. Numbers are
-- doubles here, whole up to 2^53, and tostring() would round them to 14 digits: they leave through digits().

local meta, snapshot, log, answers, due = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local mode, room, channel, field, answer = ARGV[1], ARGV[2], ARGV[3], ARGV[6], ARGV[7]
local kind, first_entry = ARGV[9], 16

local function whole(text)
  local n = tonumber(text)
  if n and n >= 0 and n <= 9007199254740991 and n == math.floor(n) then
    return n
  end
end

local function digits(n)
  return string.format('%.0f', n)
end

-- What was answered once is answered again, whatever has become of the room since.
local before = redis.call('HGET', answers, field)
if before then
  return { 'repeated', before }
end

local stored = redis.call('HMGET', meta, 'epoch', 'version', 'last', 'at', 'deadline', 'bytes')
local is_open = stored[1] ~= false
if mode == 'open' then
  if is_open then
    return { 'stale' }
  end
elseif not is_open then
  return { 'none' }
end

local epoch, version, count = whole(ARGV[4]), whole(ARGV[5]), (#ARGV - first_entry + 1) / 2
local span, ttl, snapshot_version = whole(ARGV[10]), whole(ARGV[11]), whole(ARGV[12])
if not (epoch and version and span and ttl and ttl > 0 and count >= 1 and count == math.floor(count))
  or not whole(digits(version + count))
  or (mode ~= 'open' and mode ~= 'commit')
  or (mode == 'open' and version ~= 0)
  or (kind ~= 'keep' and kind ~= 'none' and kind ~= 'at' and kind ~= 'in')
  or (ARGV[12] ~= '' and not (snapshot_version and snapshot_version <= version + count))
then
  return redis.error_reply('BADCALL arguments of commit.lua')
end

local stored_epoch, stored_version = whole(stored[1] or ARGV[4]), whole(stored[2] or '0')
local last, last_at, deadline = stored[3] or '', whole(stored[4] or '0'), whole(stored[5] or '')

-- The log's time never runs backwards, even where the server's clock does.
local time = redis.call('TIME')
local now = math.max(tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000), last_at)

if epoch ~= stored_epoch then
  return { 'stale' }
end
if deadline and now >= deadline and ARGV[8] ~= '1' then
  return { 'time', digits(now) }
end
if version ~= stored_version then
  return { 'stale' }
end

-- That the time has expired is written whatever else there is.
local bytes = whole(stored[6] or '0') + #field + #answer + #ARGV[14]
for n = first_entry, #ARGV do
  bytes = bytes + #ARGV[n]
end
if bytes > whole(ARGV[15]) and ARGV[8] ~= '1' then
  return { 'full' }
end
if mode == 'open' then
  -- No new room where hands of those that are there will need what is left.
  local memory = redis.call('INFO', 'memory')
  local used, most = tonumber(memory:match('used_memory:(%d+)')), tonumber(memory:match('maxmemory:(%d+)'))
  if used and most and most > 0 and used > 0.9 * most then
    return { 'full' }
  end
end

if kind == 'at' then
  deadline = span
elseif kind == 'in' then
  deadline = now + span
elseif kind == 'none' or ARGV[8] == '1' then
  deadline = nil
end

-- A user who lacks one of the commands, or a key of another type, must fail here and not half-way.
local writes = {
  { 'XADD', log, '1-0', 'id', '' }, { 'HSET', meta, 'epoch', '' }, { 'HDEL', meta, 'deadline' },
  { 'HSET', snapshot, 'version', '' }, { 'HSET', answers, field, '' }, { 'ZADD', due, '1', room },
  { 'ZREM', due, room }, { 'PEXPIREAT', meta, '1' }, { 'SPUBLISH', channel, '' },
}
if KEYS[6] then
  writes[#writes + 1] = { 'SET', KEYS[6], '' }
end
for _, write in ipairs(writes) do
  if not redis.acl_check_cmd(unpack(write)) then
    return redis.error_reply('NOPERM this user may not ' .. write[1])
  end
end
redis.call('HLEN', snapshot)
redis.call('ZCARD', due)

local function packed_number(n)
  return struct.pack('>BI4I4', 0xcf, math.floor(n / 4294967296), n % 4294967296)
end

local function packed_text(text)
  return struct.pack('>BI4', 0xdb, #text) .. text
end

local function packed_bytes(bytes)
  return struct.pack('>BI4', 0xc6, #bytes) .. bytes
end

-- The feed's message is a FeedMessage in MessagePack. cmsgpack would write ids and bodies alike as text.
local message = { '\147', packed_text(room), packed_number(epoch), struct.pack('>BI4', 0xdd, count) }
local at, previous = digits(now), last
for n = 1, count do
  local id, body = ARGV[first_entry + 2 * n - 2], ARGV[first_entry + 2 * n - 1]
  redis.call('XADD', log, digits(version + n) .. '-0', 'id', id, 'prev', previous, 'at', at, 'body', body)
  message[#message + 1] = '\149' .. packed_number(version + n) .. packed_text(id) .. packed_text(previous)
    .. packed_number(now) .. packed_bytes(body)
  previous = id
end

redis.call('HSET', meta, 'epoch', digits(epoch), 'version', digits(version + count), 'last', previous, 'at', at,
  'bytes', digits(bytes))
if snapshot_version then
  redis.call('HSET', snapshot, 'version', digits(snapshot_version), 'body', ARGV[13])
end
redis.call('HSET', answers, field, answer)
if deadline then
  redis.call('HSET', meta, 'deadline', digits(deadline))
  redis.call('ZADD', due, digits(deadline), room)
else
  redis.call('HDEL', meta, 'deadline')
  redis.call('ZREM', due, room)
end
if KEYS[6] then
  redis.call('SET', KEYS[6], ARGV[14])
end
for _, key in ipairs({ meta, snapshot, log, answers }) do
  redis.call('PEXPIREAT', key, digits(now + ttl))
end
redis.call('SPUBLISH', channel, table.concat(message))
return { 'committed', at, last }
