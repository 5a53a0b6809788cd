-- Commits the events that were decided on a room at (epoch, version), or opens a room: all of it or nothing.
--
-- KEYS  1 meta (hash)  2 snapshot (hash)  3 log (stream)  4 answers (hash)  5 due list (sorted set)
--       only with letters or an archive: 6 outbox  7 list of outboxes (sorted sets)
--       8 archive (string), only when a finished game is kept
-- ARGV  1 "open", "commit" or "try" (opens a room of no code and removes it again)  2 room  3 feed channel
--       4 epoch  5 version  6 field of the answer  7 answer
--       8 "1" if the commit expires the time  9 deadline: "keep", "none", "at", "in"  10 its ms
--       11 offset from wall clock to steady time  12 steady time as the hub reckons it
--       13 snapshot's version or ""  14 snapshot  15 archive  16 most bytes to keep of a room
--       17 with "open": id of the entry at this version, "" for a new room
--       18 how many letters there are  19… the letters, then id and body of each entry, in turn
--
-- Answers {"committed", at, steady, id before the first}, {"repeated", answer}, {"stale"}, {"time", steady}, {"full"},
-- {"none"}.
--
-- Deadlines are compared with steady time, which knows no steps of a clock that was set. Entries say both.
--
-- Every check stands before the first write: Redis does not take back what a failing script has written. Numbers are
-- doubles here, whole up to 2^53, and tostring() would round them to 14 digits: they leave through digits().

local meta, snapshot, log, answers, due = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local mode, room, channel, field, answer = ARGV[1], ARGV[2], ARGV[3], ARGV[6], ARGV[7]
local kind, letters = ARGV[9], tonumber(ARGV[18])
local first_letter, first_entry = 19, 19 + letters
-- A clock that is further from what the hub reckons was set a moment ago, or the command was held up on its way.
local FARTHEST_MS = 2000

local function whole(text)
  local n = tonumber(text)
  if n and n >= 0 and n <= 9007199254740991 and n == math.floor(n) then
    return n
  end
end

local function digits(n)
  return string.format('%.0f', n)
end

local is_trial = mode == 'try'
if is_trial then
  mode = 'open'
end

-- What was answered once is answered again, whatever has become of the room since.
local before = redis.call('HGET', answers, field)
if before then
  return { 'repeated', before }
end

local stored = redis.call('HMGET', meta, 'epoch', 'version', 'last', 'used', 'deadline', 'bytes')
local is_open = stored[1] ~= false
if mode == 'open' then
  if is_open then
    return { 'stale' }
  end
elseif not is_open then
  return { 'none' }
end

local epoch, version, count = whole(ARGV[4]), whole(ARGV[5]), (#ARGV - first_entry + 1) / 2
local span, offset, reckoned, snapshot_version = whole(ARGV[10]), tonumber(ARGV[11]), whole(ARGV[12]), whole(ARGV[13])
if not (epoch and version and span and offset and reckoned and count >= 1 and count == math.floor(count))
  or not whole(digits(version + count))
  or (mode ~= 'open' and mode ~= 'commit')
  or (kind ~= 'keep' and kind ~= 'none' and kind ~= 'at' and kind ~= 'in')
  or (ARGV[13] ~= '' and not (snapshot_version and snapshot_version <= version + count))
then
  return redis.error_reply('BADCALL arguments of commit.lua')
end

local stored_epoch, stored_version = whole(stored[1] or ARGV[4]), whole(stored[2] or ARGV[5])
local last, deadline = stored[3] or ARGV[17], whole(stored[5] or '')

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local steady = now + offset
if math.abs(steady - reckoned) > FARTHEST_MS then
  steady = reckoned
end

if epoch ~= stored_epoch then
  return { 'stale' }
end
if deadline and steady >= deadline and ARGV[8] ~= '1' then
  return { 'time', digits(steady) }
end
if version ~= stored_version then
  return { 'stale' }
end

-- That the time has expired is written whatever else there is.
local bytes = whole(stored[6] or '0') + #field + #answer + #ARGV[15]
for n = first_letter, #ARGV do
  bytes = bytes + #ARGV[n]
end
if bytes > whole(ARGV[16]) and ARGV[8] ~= '1' then
  return { 'full' }
end
if mode == 'open' and not is_trial then
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
  deadline = steady + span
elseif kind == 'none' or ARGV[8] == '1' then
  deadline = nil
end

-- A user who lacks one of the commands, or a key of another type, must fail here and not half-way.
local writes = {
  { 'XADD', log, '1-0', 'id', '' }, { 'HSET', meta, 'epoch', '' }, { 'HDEL', meta, 'deadline' },
  { 'HSET', snapshot, 'version', '' }, { 'HSET', answers, field, '' }, { 'ZADD', due, '1', room },
  { 'ZREM', due, room }, { 'DEL', meta }, { 'SPUBLISH', channel, '' },
}
if KEYS[8] then
  writes[#writes + 1] = { 'SET', KEYS[8], '' }
end
if letters > 0 then
  redis.call('ZCARD', KEYS[6])
  redis.call('ZCARD', KEYS[7])
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
local size, after_body = '\149', ''
if steady ~= now then
  size, after_body = '\150', packed_number(steady)
end
for n = 1, count do
  local id, body = ARGV[first_entry + 2 * n - 2], ARGV[first_entry + 2 * n - 1]
  local entry = { 'XADD', log, digits(version + n) .. '-0', 'id', id, 'prev', previous, 'at', at, 'body', body }
  if steady ~= now then
    entry[#entry + 1], entry[#entry + 2] = 'steady', digits(steady)
  end
  redis.call(unpack(entry))
  message[#message + 1] = size .. packed_number(version + n) .. packed_text(id) .. packed_text(previous)
    .. packed_number(now) .. packed_bytes(body) .. after_body
  previous = id
end

local head = { 'epoch', digits(epoch), 'version', digits(version + count), 'last', previous, 'used', digits(steady) }
redis.call('HSET', meta, 'bytes', digits(bytes), unpack(head))
if snapshot_version then
  redis.call('HSET', snapshot, 'version', digits(snapshot_version), 'body', ARGV[14])
end
redis.call('HSET', answers, field, answer)
if deadline then
  redis.call('HSET', meta, 'deadline', digits(deadline))
  redis.call('ZADD', due, digits(deadline), room)
else
  redis.call('HDEL', meta, 'deadline')
  redis.call('ZREM', due, room)
end
if KEYS[8] then
  redis.call('SET', KEYS[8], ARGV[15])
end
for n = first_letter, first_entry - 1 do
  -- Letters of one commit are in the order of their bytes, which begin with their number.
  redis.call('ZADD', KEYS[6], digits(version + count), ARGV[n])
  redis.call('ZADD', KEYS[7], digits(steady), room)
end
if is_open and not stored[4] then
  -- Keys of an earlier version had an expiry.
  for _, key in ipairs({ meta, snapshot, log, answers }) do
    redis.call('PERSIST', key)
  end
end
redis.call('SPUBLISH', channel, table.concat(message))
if is_trial then
  redis.call('DEL', unpack(KEYS, 1, 4))
  redis.call('DEL', KEYS[6], KEYS[8])
  redis.call('ZREM', KEYS[7], room)
end
return { 'committed', at, digits(steady), last }
