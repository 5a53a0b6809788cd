-- Reads a room at its head in one step.
--
-- KEYS  1 meta  2 snapshot  3 log  4 due list
-- ARGV  1 room  2 "" for the snapshot and the entries after it, or the first version wanted (then without snapshot)
--
-- Answers nil if there is no room, else {epoch, version, last, snapshot's version or "", snapshot, entries as XRANGE
-- gives them}.

local meta, snapshot, log, due = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local head = redis.call('HMGET', meta, 'epoch', 'version', 'last')
if not head[1] then
  -- The room is gone: nobody will ever fulfil what it still has on the due list. A store that takes no writes
  -- keeps the entry for now, and the reader still gets its answer.
  if redis.call('ZSCORE', due, ARGV[1]) then
    redis.pcall('ZREM', due, ARGV[1])
  end
  return false
end

local from, snapshot_version, body = ARGV[2], '', ''
if from == '' then
  from = '1'
  local kept = redis.call('HMGET', snapshot, 'version', 'body')
  if kept[1] then
    snapshot_version, body = kept[1], kept[2]
    from = string.format('%.0f', tonumber(kept[1]) + 1)
  end
end
return { head[1], head[2], head[3], snapshot_version, body, redis.call('XRANGE', log, from .. '-0', '+') }
