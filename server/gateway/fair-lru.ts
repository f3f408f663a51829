/**
 * A bounded cache by project and name. Evicts the least recently used entry of the project that has
 * the most, so that one project cannot displace the others. Every operation takes constant time.
 */
export class FairLru<V> {
  private readonly projects = new Map<string, Map<string, V>>();
  /** Projects by their number of entries. */
  private readonly bySize = new Map<number, Set<string>>();
  private maxSize = 0;
  private count = 0;

  constructor(private readonly capacity: number) {}

  get size(): number {
    return this.count;
  }

  get(projectId: string, name: string): V | undefined {
    return this.projects.get(projectId)?.get(name);
  }

  /** Marks the entry as its project's most recently used one. */
  touch(projectId: string, name: string): V | undefined {
    const entries = this.projects.get(projectId);
    const value = entries?.get(name);
    if (entries === undefined || value === undefined) return undefined;
    entries.delete(name);
    entries.set(name, value);
    return value;
  }

  /** Returns the evicted entry, or null. The new entry is its project's most recently used one. */
  set(projectId: string, name: string, value: V): V | null {
    this.delete(projectId, name);
    const evicted = this.count >= this.capacity ? this.evictOldest(projectId) : null;
    const entries = this.projects.get(projectId) ?? new Map<string, V>();
    entries.set(name, value);
    this.projects.set(projectId, entries);
    this.count++;
    this.resized(projectId, entries.size - 1, entries.size);
    return evicted;
  }

  delete(projectId: string, name: string): void {
    const entries = this.projects.get(projectId);
    if (entries?.delete(name) !== true) return;
    this.count--;
    if (entries.size === 0) this.projects.delete(projectId);
    this.resized(projectId, entries.size + 1, entries.size);
  }

  *values(): Generator<V> {
    for (const entries of this.projects.values()) yield* entries.values();
  }

  /**
   * Evicts from the project with the most entries; if several have equally many, from `adding` if
   * it is one of them.
   */
  private evictOldest(adding: string): V | null {
    const largest = this.bySize.get(this.maxSize) ?? new Set();
    const [first] = largest;
    const projectId = largest.has(adding) ? adding : first;
    if (projectId === undefined) return null;
    for (const [name, value] of this.projects.get(projectId) ?? []) {
      this.delete(projectId, name);
      return value;
    }
    return null;
  }

  private resized(projectId: string, before: number, after: number): void {
    const left = this.bySize.get(before);
    left?.delete(projectId);
    if (left?.size === 0) this.bySize.delete(before);
    if (after > 0) this.bySize.set(after, (this.bySize.get(after) ?? new Set()).add(projectId));
    // Sizes change by one, so the largest size is this one or the next below.
    if (after > this.maxSize) this.maxSize = after;
    else if (before === this.maxSize && !this.bySize.has(before)) this.maxSize = after;
  }
}
