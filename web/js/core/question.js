/**
 * What would a command do? Asked of the server once for each state of things; the last answer stays until the next.
 *
 * @import {AnyCommand, Refusal} from './types.js'
 * @import {FromClient, FromServer, PreviewResult} from '../protocol.js'
 */

import { newId } from './secret.js';

export class Question {
  /** @type {{key: string, id: string, result: PreviewResult | null, refused: Refusal | null} | null} */
  #asked = null;
  #send;
  #changed;

  /**
   * @param {(message: FromClient) => boolean} send
   * @param {() => void} changed
   */
  constructor(send, changed) {
    this.#send = send;
    this.#changed = changed;
  }

  get result() {
    return this.#asked?.result ?? null;
  }

  get refused() {
    return this.#asked?.refused ?? null;
  }

  /**
   * @param {string} key  the state of things: the same one is not asked about again
   * @param {AnyCommand} command
   */
  ask(key, command) {
    if (this.#asked?.key === key) return;
    const id = newId();
    this.#asked = { key, id, result: this.result, refused: null };
    if (!this.#send({ type: 'preview', id, command })) this.#asked = null;
  }

  forget() {
    this.#asked = null;
  }

  /** @param {FromServer} message */
  receive(message) {
    if (message.type === 'welcome') this.forget();
    if (!this.#asked) return;
    if (message.type === 'preview' && message.id === this.#asked.id) {
      this.#asked = { ...this.#asked, result: message };
      this.#changed();
    } else if (message.type === 'refused' && message.cmd === this.#asked.id) {
      const { code, facts, field, retry } = message;
      this.#asked = { ...this.#asked, refused: code === 'conflict' || retry ? null : { code, facts, field } };
      this.#changed();
    }
  }
}
