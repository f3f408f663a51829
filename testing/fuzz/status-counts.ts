/** The statuses that each route answered. */
export class StatusCounts {
  readonly #statuses = new Map<string, number[]>();

  add(route: string, status: number): void {
    const statuses = this.#statuses.get(route) ?? [];
    statuses.push(status);
    this.#statuses.set(route, statuses);
  }

  /** The routes that never answered with a status below 400. */
  routesWithoutSuccess(): string[] {
    return [...this.#statuses]
      .filter(([, statuses]) => statuses.every((status) => status >= 400))
      .map(([route]) => route);
  }

  /** The share of all answers in percent. */
  percentOf(counts: (status: number) => boolean): number {
    const all = [...this.#statuses.values()].flat();
    return (all.filter(counts).length / Math.max(1, all.length)) * 100;
  }
}
