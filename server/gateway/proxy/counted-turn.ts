import type { ExchangeRequest, GatewayRoute } from '../exchange';
import type { ProxyBreakers, ProxyTurns } from './deps';

/** A call's part in its session: counted once, and verified where it is due. */
export class CountedTurn {
  readonly #deps: { readonly turns: ProxyTurns; readonly breakers: ProxyBreakers };
  readonly #route: GatewayRoute;
  #counted = { units: 0, counter: 0, due: false };
  #breakerOpen = false;
  /** The session that waits for what this call's verification comes to. */
  #waiting: string | null = null;

  constructor(
    deps: { readonly turns: ProxyTurns; readonly breakers: ProxyBreakers },
    route: GatewayRoute,
  ) {
    this.#deps = deps;
    this.#route = route;
  }

  /** Thousandths of a turn, as is `counter`. */
  get units(): number {
    return this.#counted.units;
  }

  get counter(): number {
    return this.#counted.counter;
  }

  get due(): boolean {
    return this.#counted.due;
  }

  /** It is due, and its verifier fails too often to be asked. */
  get breakerOpen(): boolean {
    return this.#breakerOpen;
  }

  count({ sessionId, clientRequestId, toolFollowup, body }: ExchangeRequest): void {
    const { project, settings } = this.#route;
    const { quality_verifier: verifier } = settings;
    this.#counted = this.#deps.turns.advance({
      projectId: project.id,
      sessionId,
      clientRequestId,
      settings: verifier,
      toolFollowup,
      body,
    });
    if (!this.due) return;
    this.#waiting = sessionId;
    this.#breakerOpen =
      verifier.model !== null && this.#deps.breakers.isOpen(project.id, verifier.model);
  }

  /** The session's next call may be due. */
  endHold(): void {
    if (this.#waiting !== null) this.#deps.turns.endHold(this.#route.project.id, this.#waiting);
    this.#waiting = null;
  }
}
