import { createKey, type ProjectCtx } from '../server/access';
import { putProvider } from '../server/llm';
import type { Runtime } from '../server/runtime';
import { createCaller, type Json, type Reply } from './call';
import { createTestProject } from './database';
import type { ScriptedLlm } from './scripted-llm';

/** A project with scripted judges, and its HTTP API. */
export interface JudgedProject {
  readonly project: ProjectCtx;
  readonly call: (
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
    method?: string,
  ) => Promise<Reply>;
  /**
   * The body of a successful response.
   * @throws Error with the response if it is an error
   */
  readonly ok: (path: string, body?: unknown, method?: string) => Promise<Json>;
}

/** Two models, so that work of either vendor has a judge: models do not judge their own family. */
export async function createJudgedProject(
  runtime: Runtime,
  llm: Pick<ScriptedLlm, 'baseUrl'>,
): Promise<JudgedProject> {
  const project = await createTestProject(runtime);
  const { key } = await createKey(project, {
    name: 'k',
    scopes: ['ingest', 'verify', 'read', 'write'],
  });
  await putProvider(project, 'house', {
    kind: 'openai',
    base_url: llm.baseUrl,
    api_key: 'sk-test',
    models: ['gpt-4o-mini', 'mistral-small'],
    enabled: true,
  });
  const call = createCaller(runtime, key);
  return {
    project,
    call,
    async ok(path, body, method) {
      const reply = await call(path, body, {}, method);
      if (reply.status >= 300) throw new Error(`${path}: ${reply.status} ${reply.text}`);
      return reply.body;
    },
  };
}
