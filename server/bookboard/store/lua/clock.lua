-- Reads the server's clock together with what is known of it, and corrects that or notes it if asked to.
--
-- KEYS  1 clock (hash)
-- ARGV  1 what to do: "read", "note" (this hub vouches for the clock as it is), "correct"
--       2 the offset that was read  3 the new one  4 by how many ms the clock was set  5 "1" if a hub saw it happen
--
-- `offset` is what leads from the server's wall clock to the steady one, `seen` the wall clock when a hub last vouched
-- for it, `begun` the steady time at which this hash was made; the rest tells of the last correction.
--
-- Answers {wall clock, offset, seen or "", when it was set, by how many ms, "1" if a hub saw it}, all in ms.

local clock, what = KEYS[1], ARGV[1]

local function digits(n)
  return string.format('%.0f', n)
end

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local kept = redis.call('HMGET', clock, 'offset', 'seen', 'set_at', 'set_by', 'was_seen')
local offset, seen, set_at, set_by, was_seen = kept[1] or '0', kept[2] or '', kept[3] or '', kept[4] or '', kept[5] or ''

if what == 'correct' and offset == ARGV[2] then
  offset, seen, set_by, was_seen = ARGV[3], digits(now), ARGV[4], ARGV[5]
  set_at = digits(now + tonumber(offset))
  redis.call('HSET', clock, 'offset', offset, 'seen', seen, 'set_at', set_at, 'set_by', set_by, 'was_seen', was_seen)
elseif what == 'note' then
  redis.call('HSET', clock, 'seen', digits(now))
end
if what ~= 'read' then
  redis.call('HSETNX', clock, 'begun', digits(now + tonumber(offset)))
end
return { digits(now), offset, seen, set_at, set_by, was_seen }
