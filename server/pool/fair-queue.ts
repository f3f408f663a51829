import { rateLimited } from '../platform';

/** A task waiting for a thread. */
export interface Waiting {
  readonly projectId: string;
  /** Estimated work, in bytes of input. */
  readonly work: number;
  readonly start: () => void;
  readonly refuse: (error: Error) => void;
}

export interface QueueLimits {
  /** Maximum estimated work of one project in the queue. */
  readonly workMax: number;
  /** Maximum number of queued tasks of one project. */
  readonly tasksMax: number;
  /** Maximum waiting time of a task, in milliseconds. */
  readonly waitMs: number;
}

interface ProjectQueue {
  readonly tasks: { readonly task: Waiting; readonly timer: NodeJS.Timeout }[];
  work: number;
}

/** Tasks by project, served round-robin. A project over its share gets 429. */
export interface FairQueue {
  /** @throws AssayError rate_limited: the project's share is already queued */
  push(task: Waiting): void;
  /** The next task of a project for which `mayRun` is true, or null. */
  take(mayRun: (projectId: string) => boolean): Waiting | null;
  readonly size: number;
}

const tooMuch = 'this project has more work waiting than its share; send it again later';

export function createFairQueue(limits: QueueLimits): FairQueue {
  /** Projects in round-robin order: after its turn, a project moves to the end. */
  const queues = new Map<string, ProjectQueue>();
  let size = 0;

  function remove(projectId: string, at: number): Waiting | null {
    const queue = queues.get(projectId);
    const [entry] = queue?.tasks.splice(at, 1) ?? [];
    if (queue === undefined || entry === undefined) return null;
    clearTimeout(entry.timer);
    queue.work -= entry.task.work;
    size--;
    queues.delete(projectId);
    if (queue.tasks.length > 0) queues.set(projectId, queue);
    return entry.task;
  }

  function expire(task: Waiting): void {
    const at = queues.get(task.projectId)?.tasks.findIndex((each) => each.task === task) ?? -1;
    if (at >= 0) remove(task.projectId, at)?.refuse(rateLimited(tooMuch, 2));
  }

  return {
    push(task) {
      const queue = queues.get(task.projectId) ?? { tasks: [], work: 0 };
      const isOver =
        queue.tasks.length >= limits.tasksMax ||
        (queue.tasks.length > 0 && queue.work + task.work > limits.workMax);
      if (isOver) throw rateLimited(tooMuch, 2);
      queue.tasks.push({ task, timer: setTimeout(() => expire(task), limits.waitMs) });
      queue.work += task.work;
      queues.set(task.projectId, queue);
      size++;
    },
    take(mayRun) {
      for (const projectId of queues.keys()) if (mayRun(projectId)) return remove(projectId, 0);
      return null;
    },
    get size() {
      return size;
    },
  };
}
