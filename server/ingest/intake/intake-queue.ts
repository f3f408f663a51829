import { rateLimited, unavailable } from '../../platform';

/**
 * Beyond this size the API answers 503 with Retry-After: memory stays bounded, and rows wait about
 * a second (I6).
 */
const bytesMax = 64 * 1024 * 1024;
/** The share of one project while others wait too; its requests beyond that get 429. */
const projectShare = 0.5;

export interface WaitingSize {
  readonly rows: number;
  readonly bytes: number;
}

/**
 * Items waiting for a commit. Projects take turns, so that one project with much input delays no
 * other.
 */
export interface IntakeQueue<Item> {
  readonly size: () => WaitingSize;
  /** @throws AssayError unavailable (queue full), rate_limited (this project's share used up) */
  admit(project: string): void;
  add(project: string, item: Item, bytes: number): void;
  /** One item of each project in turn, up to `max`; at least one if any waits. */
  take(max: WaitingSize): Item[];
}

interface Queue<Item> {
  readonly items: { readonly item: Item; readonly bytes: number }[];
  next: number;
  bytes: number;
}

export function createIntakeQueue<Item>(): IntakeQueue<Item> {
  const queues = new Map<string, Queue<Item>>();
  let rows = 0;
  let bytes = 0;

  return {
    size: () => ({ rows, bytes }),
    admit(project) {
      if (bytes > bytesMax)
        throw unavailable(
          'the server receives more than it can store; send the request again later',
          1,
        );
      const projectBytes = queues.get(project)?.bytes ?? 0;
      if (queues.size > 1 && projectBytes > bytesMax * projectShare)
        throw rateLimited(
          'this project sends more than its share; send the request again later',
          1,
        );
    },
    add(project, item, itemBytes) {
      const queue = queues.get(project) ?? { items: [], next: 0, bytes: 0 };
      queues.set(project, queue);
      queue.items.push({ item, bytes: itemBytes });
      queue.bytes += itemBytes;
      rows++;
      bytes += itemBytes;
    },
    take(max) {
      const taken: Item[] = [];
      let takenBytes = 0;
      const isFull = (): boolean => taken.length >= max.rows || takenBytes >= max.bytes;
      while (queues.size > 0 && !isFull()) {
        for (const [project, queue] of queues) {
          const next = queue.items[queue.next++];
          if (next !== undefined) {
            taken.push(next.item);
            takenBytes += next.bytes;
            queue.bytes -= next.bytes;
          }
          if (queue.next >= queue.items.length) queues.delete(project);
          if (isFull()) break;
        }
      }
      rows -= taken.length;
      bytes -= takenBytes;
      return taken;
    },
  };
}
