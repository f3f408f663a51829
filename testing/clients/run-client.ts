import { createKey } from '../../server/access';
import { putProvider } from '../../server/llm';
import { createTestProject } from '../database';
import { startEdge, startWorker } from '../processes';
import { type ScriptedCall, type ScriptedReply, startScriptedLlm } from '../scripted-llm';
import { createStack } from '../stack';
import { until } from '../until';
import type { CatalogClient } from './catalog';
import { driveClient, type InstalledClient } from './install';
import { answersIn, conversation, readStored, type Stored, usage } from './read-cells';

/** An edge, a worker and a scripted model, on a separate database. */
export interface ClientStack {
  /**
   * Runs a client's conversation in a separate project; returns the data stored afterwards.
   * @throws Error if its driver fails
   */
  run(client: CatalogClient, installed: InstalledClient): Promise<Stored>;
  close(): Promise<void>;
}

export async function startClientStack(databaseUrl: string): Promise<ClientStack> {
  const llm = await startScriptedLlm();
  llm.answerWith(answerAsModel);
  const stack = await createStack(databaseUrl, {
    ASSAY_OUTBOUND_ALLOW: new URL(llm.origin).host,
    ASSAY_TRACE_IDLE_MS: '500',
  });
  const [edge] = await Promise.all([startEdge(stack.variables), startWorker(stack.variables)]);

  const prepareKey = async (): Promise<string> => {
    const project = await createTestProject(stack.runtime);
    for (const [name, { kind, models, path }] of Object.entries(providers))
      await putProvider(project, name, {
        kind,
        base_url: `${llm.origin}${path}`,
        api_key: 'sk-upstream-stored-0001',
        models: [...models],
        enabled: true,
      });
    const { key } = await createKey(project, {
      name: 'client',
      scopes: ['ingest', 'verify', 'read', 'write', 'gateway'],
    });
    return key;
  };

  return {
    async run(client, installed) {
      const key = await prepareKey();
      await driveClient(client, installed, {
        ASSAY_URL: edge.url,
        ASSAY_KEY: key,
        LLM_URL: llm.origin,
        SESSION: conversation.session,
      });
      // The gateway records a call after its answer. A client without content does not send the
      // answer.
      const answered = async (): Promise<true | null> =>
        answersIn(await readStored(edge.url, key)).length > 0 ? true : null;
      await until('the answer', answered, 20_000).catch(() => null);
      await stack.drained();
      return readStored(edge.url, key);
    },
    async close() {
      await stack.close();
      await llm.close();
    },
  };
}

/** Providers whose addresses are the scripted model's, by the names of their gateway routes. */
const providers = {
  openai: { kind: 'openai', models: ['gpt-4o-mini'], path: '/v1' },
  anthropic: { kind: 'anthropic', models: ['claude-sonnet-4-5'], path: '/v1' },
  google: { kind: 'google', models: ['gemini-2.5-flash'], path: '' },
  mistral: { kind: 'openai_compatible', models: ['mistral-small-latest'], path: '/v1' },
  groq: { kind: 'openai_compatible', models: ['llama-3.3-70b-versatile'], path: '/openai/v1' },
  ollama: { kind: 'openai_compatible', models: ['llama3.2'], path: '/v1' },
  azure: { kind: 'openai_compatible', models: ['gpt-4o-mini'], path: '/openai/v1' },
} as const;

/** Calls the tool, or answers if the request has its result. */
function answerAsModel({ body }: ScriptedCall): ScriptedReply {
  if (JSON.stringify(body).includes('disk_pct'))
    return { text: conversation.answer, usage: usage[1] };
  const disk = { id: 'call_1', name: 'disk', arguments: '{"host":"web-1"}' };
  return { toolCalls: [disk], usage: usage[0] };
}
