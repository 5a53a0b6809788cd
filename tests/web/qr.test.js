import assert from 'node:assert/strict';
import { test } from 'node:test';

import { originForOthers } from '../../web/js/core/qr.js';

const LAN = 'http://192.168.1.5:8000';
const SET = 'https://board.example';

test('a name or number that leads nowhere from a phone is never handed on while a better address is known', () => {
  for (const host of ['localhost', '127.0.0.1', '127.0.1.1', '0.0.0.0', '[::1]', '[::]', 'pi', 'pi.local', 'pi.lan']) {
    assert.equal(originForOthers([LAN], `http://${host}:8000`), LAN);
    assert.equal(originForOthers(['http://localhost:8000'], `http://${host}:8000`), `http://${host}:8000`);
    assert.equal(originForOthers([], `http://${host}:8000`), `http://${host}:8000`);
  }
});

test('any address of the server that the page was opened at is handed on', () => {
  assert.equal(originForOthers([LAN, 'http://10.0.0.2:8000'], 'http://10.0.0.2:8000'), 'http://10.0.0.2:8000');
  assert.equal(originForOthers(['http://pi.local:8000'], 'http://pi.local:8000'), 'http://pi.local:8000');
});

test('an address that the server cannot know, as behind a proxy or a forwarded port, is handed on', () => {
  for (const here of ['https://scores.example.org', 'http://203.0.113.9', 'http://192.168.7.7:8000']) {
    assert.equal(originForOthers([LAN], here), here);
    assert.equal(originForOthers(['http://localhost:8000'], here), here);
  }
});

test('the address that was set is handed on, however the page was opened', () => {
  for (const here of [SET, LAN, 'http://localhost:8000', 'https://intern.example']) {
    assert.equal(originForOthers([SET], here), SET);
  }
});
