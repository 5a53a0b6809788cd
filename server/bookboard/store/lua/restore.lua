-- Puts a room back from a backup, in a new epoch, unless the store holds all of it: then it has gone on since.
--
-- KEYS  1 meta  2 snapshot  3 log  4 answers  5 due list  6 outbox  7 refused letters  8 list of outboxes
-- ARGV  1 room  2 feed channel  3 epoch of the backup  4 how many entries  5 deadline or ""
--       6 version of the first entry  7 id before it  8, 9 how many letters and refused letters
--       10… id, time, steady time and body of each entry, in turn, then version and bytes of each letter and each
--       refused one, then field and answer of each answer
--
-- Answers 1 if the room was put back, 0 if it is left as it is.

local meta, snapshot, log, answers, due = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local room, count, first = ARGV[1], tonumber(ARGV[4]), 10
local before, last = tonumber(ARGV[6]) - 1, ARGV[7]

local function digits(n)
  return string.format('%.0f', n)
end

local stored = redis.call('HMGET', meta, 'epoch', 'version')
if stored[1] and tonumber(stored[2]) >= before + count then
  -- The first entry from there on: another version if the log was lost and began again after the backup.
  local at = digits(before + count) .. '-0'
  local there = redis.call('XRANGE', log, at, '+', 'COUNT', 1)[1]
  if there and (there[1] ~= at or there[2][2] == ARGV[first + 4 * count - 4]) then
    return 0
  end
end

local epoch = math.max(tonumber(stored[1] or '0'), tonumber(ARGV[3])) + 1
redis.call('DEL', meta, snapshot, log, answers, KEYS[6], KEYS[7])
redis.call('ZREM', due, room)
redis.call('ZREM', KEYS[8], room)
for n = 1, count do
  local id, at, steady, body = unpack(ARGV, first + 4 * n - 4, first + 4 * n - 1)
  local entry = { 'XADD', log, digits(before + n) .. '-0', 'id', id, 'prev', last, 'at', at, 'body', body }
  if steady ~= '' then
    entry[#entry + 1], entry[#entry + 2] = 'steady', steady
  end
  redis.call(unpack(entry))
  last = id
end
redis.call('HSET', meta, 'epoch', digits(epoch), 'version', digits(before + count), 'last', last)
if ARGV[5] ~= '' then
  redis.call('HSET', meta, 'deadline', ARGV[5])
  redis.call('ZADD', due, ARGV[5], room)
end
local next_one = first + 4 * count
for number, box in ipairs({ KEYS[6], KEYS[7] }) do
  for _ = 1, tonumber(ARGV[7 + number]) do
    redis.call('ZADD', box, ARGV[next_one], ARGV[next_one + 1])
    next_one = next_one + 2
  end
end
if tonumber(ARGV[8]) > 0 then
  redis.call('ZADD', KEYS[8], '0', room)
end
for n = next_one, #ARGV, 2 do
  redis.call('HSET', answers, ARGV[n], ARGV[n + 1])
end
-- A FeedMessage in MessagePack, without entries.
local number = struct.pack('>BI4I4', 0xcf, math.floor(epoch / 4294967296), epoch % 4294967296)
redis.call('SPUBLISH', ARGV[2], '\147' .. struct.pack('>BI4', 0xdb, #room) .. room .. number .. '\144')
return 1
