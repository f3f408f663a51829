import { rateLimited } from '../platform';

/** A task that waits for a thread. */
export interface Waiting {
  readonly projectId: string;
  /** Estimated work; bytes of input. */
  readonly work: number;
  readonly start: () => void;
  readonly refuse: (error: Error) => void;
}

export interface QueueLimits {
  /** Estimated work of one project that may wait. */
  readonly workMax: number;
  /** Tasks of one project that may wait. */
  readonly tasksMax: number;
  /** So long a task waits at most, milliseconds. */
  readonly waitMs: number;
}

interface Line {
  readonly tasks: { readonly task: Waiting; readonly timer: NodeJS.Timeout }[];
  work: number;
}

/**
 * Tasks by project, taken one of each project in turn. What is over its project's share hears 429.
 */
export interface FairQueue {
  /** @throws AssayError rate_limited: the project has its share waiting already */
  push(task: Waiting): void;
  /** The next task of a project that `mayRun`, or null. */
  take(mayRun: (projectId: string) => boolean): Waiting | null;
  readonly size: number;
}

const tooMuch = 'this project has more work waiting than its share; send it again later';

export function createFairQueue(limits: QueueLimits): FairQueue {
  /** In the order in which projects have their turn: who was served goes to the end. */
  const lines = new Map<string, Line>();
  let size = 0;

  function remove(projectId: string, at: number): Waiting | null {
    const line = lines.get(projectId);
    const [entry] = line?.tasks.splice(at, 1) ?? [];
    if (line === undefined || entry === undefined) return null;
    clearTimeout(entry.timer);
    line.work -= entry.task.work;
    size--;
    lines.delete(projectId);
    if (line.tasks.length > 0) lines.set(projectId, line);
    return entry.task;
  }

  function expire(task: Waiting): void {
    const at = lines.get(task.projectId)?.tasks.findIndex((each) => each.task === task) ?? -1;
    if (at >= 0) remove(task.projectId, at)?.refuse(rateLimited(tooMuch, 2));
  }

  return {
    push(task) {
      const line = lines.get(task.projectId) ?? { tasks: [], work: 0 };
      const isOver =
        line.tasks.length >= limits.tasksMax ||
        (line.tasks.length > 0 && line.work + task.work > limits.workMax);
      if (isOver) throw rateLimited(tooMuch, 2);
      line.tasks.push({ task, timer: setTimeout(() => expire(task), limits.waitMs) });
      line.work += task.work;
      lines.set(task.projectId, line);
      size++;
    },
    take(mayRun) {
      for (const projectId of lines.keys()) if (mayRun(projectId)) return remove(projectId, 0);
      return null;
    },
    get size() {
      return size;
    },
  };
}
