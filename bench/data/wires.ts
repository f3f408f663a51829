import { createTestProject, drainJobs, drainRefreshQueue } from '../../testing/database';
import { createKey, type ProjectCtx } from '../../server/access';
import { createApp } from '../../server/api/http';
import type { Runtime } from '../../server/runtime';
import { endAll, startEdge, startWorker } from '../../testing/processes';
import { createStack } from '../../testing/stack';
import { until } from '../../testing/until';
import { startTestCluster } from '../../scripts/temporary-cluster.mjs';
import { type ApiClient, createApiClient } from './api-client';

async function keyOf(project: ProjectCtx): Promise<Readonly<Record<string, string>>> {
  const { key } = await createKey(project, { name: 'check', scopes: ['ingest', 'read'] });
  return { authorization: `Bearer ${key}` };
}

/**
 * A separate project, used through the handlers of the HTTP API; its jobs run here, as in a worker.
 * @internal For tests only.
 */
export async function openInProcess(runtime: Runtime): Promise<ApiClient> {
  const headers = await keyOf(await createTestProject(runtime));
  const app = createApp(runtime);
  return createApiClient({
    request: async (path, init) => app.request(path, { ...init, headers }),
    worked: () => drainJobs(runtime),
    counted: () => drainRefreshQueue(runtime),
  });
}

export interface Instance {
  /** A separate project. */
  open(): Promise<ApiClient>;
  stop(): Promise<void>;
}

const pollMs = 100;
/** Far longer than a worker of an idle instance needs. */
const longestMs = 60_000;

/** The whole product on a separate cluster: an edge, a worker. */
export async function startInstance(): Promise<Instance> {
  const cluster = await startTestCluster();
  const stack = await createStack(cluster.url);
  const edge = await startEdge(stack.variables);
  await startWorker(stack.variables);
  return {
    async open() {
      const project = await createTestProject(stack.runtime);
      const headers = await keyOf(project);
      return createApiClient({
        request: (path, init) => fetch(`${edge.url}${path}`, { ...init, headers }),
        worked: () => new Promise((resolve) => setTimeout(resolve, pollMs)),
        counted: async () => {
          const whenQueueIsEmpty = async (): Promise<true | null> => {
            const rows =
              await stack.sql`select from judgement_dues where project_id = ${project.projectId} and due_at <= now() limit 1`;
            return rows.length === 0 ? true : null;
          };
          await until('the labels are counted', whenQueueIsEmpty, longestMs);
        },
      });
    },
    async stop() {
      await endAll();
      await stack.close();
      await cluster.stop();
    },
  };
}
