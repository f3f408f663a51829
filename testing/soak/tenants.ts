import { createKey, type ProjectCtx } from '../../server/access';
import { putProvider } from '../../server/llm';
import { updateSettings } from '../../server/verdicts';
import { createTestMember, createTestProject, type TestPerson } from '../database';
import type { Json } from '../call';
import type { Product } from './product';

/** A project with rules, a judge, a function, a gateway route, a dataset and a reviewer. */
export interface Tenant {
  readonly slug: string;
  readonly project: ProjectCtx;
  readonly key: string;
  readonly reviewer: TestPerson;
}

export const providerName = 'house';
export const routeSlug = 'soak';
export const datasetSlug = 'questions';
export const promptSlug = 'ops-answer';
/** The model that answers questions; `mistral-small` is the judge. */
export const answerModel = 'gpt-4o-mini';

const longEnoughSource = `def evaluate(output):
    return {"score": min(1, len(output) / 20), "reason": f"{len(output)} characters"}
`;

/** Rules that verify a sample of the turns. The default rule `integrity` verifies all of them. */
const sampledRules: Readonly<Record<string, Json>> = {
  judged: {
    verifier: 'task',
    filter: { origin: 'api' },
    sampling: 0.05,
    mapping: {
      task_output: '$.output',
      success_criteria: { value: ['The answer names the host.'] },
    },
  },
  measured: { verifier: 'long-enough', filter: { origin: 'api' }, sampling: 0.05 },
};

/** Sends a setup request. @throws Error with the response if the request fails */
async function sendSetup(
  { edgeUrl }: Product,
  key: string,
  method: 'PUT' | 'POST',
  path: string,
  body: Json,
): Promise<void> {
  const response = await fetch(edgeUrl + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
}

async function configure(product: Product, key: string): Promise<void> {
  const put = (path: string, body: Json) => sendSetup(product, key, 'PUT', path, body);
  await put('/v1/verifiers/long-enough', {
    kind: 'function',
    targets: ['turn'],
    function: { language: 'python', source: longEnoughSource },
  });
  for (const [name, rule] of Object.entries(sampledRules)) await put(`/v1/rules/${name}`, rule);
  await put(`/v1/gateway/routes/${routeSlug}`, {
    upstream: providerName,
    quality_verifier: { model: `${providerName}:mistral-small`, frequency: 5, control_share: 0 },
  });
  await put(`/v1/datasets/${datasetSlug}`, { name: 'Questions' });
  await sendSetup(product, key, 'POST', `/v1/datasets/${datasetSlug}/items`, {
    items: Array.from({ length: 20 }, (_, n) => ({
      id: `item-${n}`,
      input: `How full is web-${n}?`,
      context: [{ content: `{"host":"web-${n}","disk_pct":91.4}` }],
    })),
  });
  await sendSetup(product, key, 'POST', `/v1/prompts/${promptSlug}/versions`, {
    body: '---\ntitle: Ops answer\ndescription: Answers about hosts\noutput: message\n---\nAnswer: {{input}}\n',
    message: 'First version',
  });
}

export async function createTenant(product: Product, slug: string): Promise<Tenant> {
  const { runtime, llm } = product;
  const project = await createTestProject(runtime, slug);
  const { key } = await createKey(project, {
    name: 'soak',
    scopes: ['ingest', 'verify', 'read', 'write', 'gateway'],
  });
  await putProvider(project, providerName, {
    kind: 'openai',
    base_url: llm.baseUrl,
    api_key: 'sk-soak',
    models: [answerModel, 'mistral-small'],
    enabled: true,
  });
  await updateSettings(project, { defaultJudge: `${providerName}:mistral-small` });
  await configure(product, key);
  const reviewer = await createTestMember(runtime, project, 'reviewer', `${slug}@example.org`);
  return { slug, project, key, reviewer };
}
