-- Removes a room that nobody has used for long, counted in steady time, so that no clock that is set can bring it about.
--
-- KEYS  1 meta  2 snapshot  3 log  4 answers  5 due list  6 outbox  7 refused letters  8 list of outboxes
-- ARGV  1 room  2 feed channel  3 steady time  4 steady time since which it has been counted  5 ms that a room is kept
--
-- A room whose use was never noted, or by another count than today's, is used today. Answers 1 if it was removed.

local meta = KEYS[1]
local now, since, kept_for = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
if redis.call('EXISTS', meta) == 0 then
  return 0
end
local used = tonumber(redis.call('HGET', meta, 'used') or '')
if not used or used < since or used > now then
  -- Keys of an earlier version had an expiry.
  for n = 1, 4 do
    redis.call('PERSIST', KEYS[n])
  end
  redis.call('HSET', meta, 'used', ARGV[3])
  return 0
end
if now - used < kept_for or redis.call('PUBSUB', 'SHARDNUMSUB', ARGV[2])[2] > 0 then
  return 0
end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[6], KEYS[7])
redis.call('ZREM', KEYS[5], ARGV[1])
redis.call('ZREM', KEYS[8], ARGV[1])
return 1
