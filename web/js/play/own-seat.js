/**
 * The seat of whoever holds this phone, and whether somebody else took it over.
 *
 * @import {BoardState} from '../core/store.js'
 */

export class OwnSeat {
  /** Who has the seat now that was this phone's. @type {{seat: string, person: string} | null} */
  lost = null;
  /** @type {string | null} */
  #seat = null;

  /**
   * Called before every drawing.
   *
   * @param {Pick<BoardState, 'view' | 'person'>} state
   */
  follow({ view, person }) {
    if (!view || !person) return;
    const { seats } = view.people;
    const mine = Object.keys(seats).find((seat) => seats[seat] === person) ?? null;
    const taker = this.#seat === null ? undefined : seats[this.#seat];
    if (mine !== null) this.lost = null;
    else if (this.#seat !== null && taker !== undefined) this.lost = { seat: this.#seat, person: taker };
    this.#seat = mine;
  }
}
