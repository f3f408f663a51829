import { createTestProject, drainJobs } from '../../db/testing';
import { createKey } from '../../server/access';
import { createApp } from '../../server/http';
import type { Runtime } from '../../server/runtime';
import type { Door } from './compare';

/** A project of its own, spoken to through the handlers of the HTTP API; its jobs are done here, as a worker does them. */
export async function openDoor(runtime: Runtime): Promise<Door> {
  const project = await createTestProject(runtime);
  const { key } = await createKey(project, { name: 'check', scopes: ['ingest', 'read'] });
  const app = createApp(runtime);
  const headers = { authorization: `Bearer ${key}` };
  return {
    async takeIn(file, mapping) {
      const form = new FormData();
      form.set('file', new Blob([new Uint8Array(file)]), 'rows.jsonl');
      form.set('mapping', JSON.stringify(mapping));
      const reply = await app.request('/v1/import', { method: 'POST', body: form, headers });
      const { id } = (await reply.json()) as { id?: string };
      if (reply.status !== 202 || id === undefined) throw new Error(`POST /v1/import answered ${reply.status}`);
      await drainJobs(runtime);
      const job = (await (await app.request(`/v1/jobs/${id}`, { headers })).json()) as { state: string; error_count: number };
      if (job.state !== 'done' || job.error_count > 0) throw new Error(`the import is ${job.state}, with ${job.error_count} bad rows`);
    },
    async read(path) {
      const reply = await app.request(path, { headers });
      if (reply.status !== 200) throw new Error(`GET ${path} answered ${reply.status}`);
      return reply.json();
    },
  };
}
