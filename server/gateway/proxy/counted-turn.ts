import type { ExchangeRequest, GatewayRoute } from '../exchange';
import type { ProxyBreakers, ProxyTurns } from './deps';

/**
 * A call's turn in its session: counted once, and verified if the session's next verification is
 * due.
 */
export class CountedTurn {
  readonly #deps: { readonly turns: ProxyTurns; readonly breakers: ProxyBreakers };
  readonly #route: GatewayRoute;
  #counted = { units: 0, counter: 0, shouldVerify: false };
  #breakerOpen = false;
  /** The session whose next verification waits for this one. */
  #waiting: string | null = null;

  constructor(
    deps: { readonly turns: ProxyTurns; readonly breakers: ProxyBreakers },
    route: GatewayRoute,
  ) {
    this.#deps = deps;
    this.#route = route;
  }

  /** In thousandths of a turn, like `counter`. */
  get units(): number {
    return this.#counted.units;
  }

  get counter(): number {
    return this.#counted.counter;
  }

  get shouldVerify(): boolean {
    return this.#counted.shouldVerify;
  }

  /** The answer should be verified, but its verifier's circuit is open. */
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
    if (!this.shouldVerify) return;
    this.#waiting = sessionId;
    this.#breakerOpen =
      verifier.model !== null && this.#deps.breakers.isOpen(project.id, verifier.model);
  }

  /** Lets the session's next call be verified. */
  endVerification(): void {
    if (this.#waiting !== null)
      this.#deps.turns.endVerification(this.#route.project.id, this.#waiting);
    this.#waiting = null;
  }
}
