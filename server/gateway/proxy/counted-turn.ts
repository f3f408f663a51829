import type { ExchangeRequest, GatewayRoute } from '../exchange';
import { countingOf, countingSession } from '../verify/route-counting';
import type { CountingSettings } from '../verify/sessions';
import type { ProxyBreakers, ProxyTurns } from './deps';

const uncounted = { units: 0, counter: 0, shouldVerify: false };

/**
 * A call's turn in its session: counted once for the Quality Verifier, and once for the verifier of
 * a route that buffers answers for it; verified if the session's next verification is due.
 */
export class CountedTurn {
  readonly #deps: { readonly turns: ProxyTurns; readonly breakers: ProxyBreakers };
  readonly #route: GatewayRoute;
  #counted = uncounted;
  #routeShouldVerify = false;
  #breakerOpen = false;
  /** The sessions whose next verification waits for this one. */
  #waiting: string[] = [];

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

  /** The route's verifier must verify the answer before delivery. */
  get routeShouldVerify(): boolean {
    return this.#routeShouldVerify;
  }

  /** The answer should be verified, but its verifier's circuit is open. */
  get breakerOpen(): boolean {
    return this.#breakerOpen;
  }

  /** For the verification of the answer. */
  get state() {
    const { shouldVerify, breakerOpen, routeShouldVerify, counter } = this;
    return { shouldVerify, breakerOpen, routeShouldVerify, counter };
  }

  count(request: ExchangeRequest): void {
    const { project, settings } = this.#route;
    const { quality_verifier: verifier, verify } = settings;
    this.#counted = this.#advance(request, request.sessionId, verifier);
    this.#breakerOpen =
      this.shouldVerify &&
      verifier.model !== null &&
      this.#deps.breakers.isOpen(project.id, verifier.model);
    if (verify === null || verify.mode === 'observe') return;
    const session = countingSession(request.sessionId);
    this.#routeShouldVerify = this.#advance(request, session, countingOf(verify)).shouldVerify;
  }

  #advance(
    { clientRequestId, toolFollowup, body }: ExchangeRequest,
    sessionId: string,
    settings: CountingSettings,
  ): typeof uncounted {
    const projectId = this.#route.project.id;
    const call = { projectId, sessionId, clientRequestId, settings, toolFollowup, body };
    const counted = this.#deps.turns.advance(call);
    if (counted.shouldVerify) this.#waiting.push(sessionId);
    return counted;
  }

  /** Lets the session's next call be verified. */
  endVerification(): void {
    for (const session of this.#waiting)
      this.#deps.turns.endVerification(this.#route.project.id, session);
    this.#waiting = [];
  }
}
