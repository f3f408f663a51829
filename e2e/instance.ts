import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

const Instance = z.object({
  webUrl: z.string(),
  edgeUrl: z.string(),
  ownerLink: z.string(),
  llmPort: z.number(),
  apartLlmPort: z.number(),
});
export type Instance = z.infer<typeof Instance>;

/** The running product; global-setup.ts started it. */
export function readInstance(): Instance {
  return Instance.parse(JSON.parse(process.env.ASSAY_E2E_INSTANCE ?? '{}'));
}

export const owner = {
  email: 'owner@assay.test',
  name: 'Olga Owner',
  password: 'a long enough password',
};
export const project = { slug: 'ops', name: 'Ops assistant' };

/** Only for this run: two runs in one checkout must not find each other's session and key. */
const folder = (): string => process.env.ASSAY_E2E_STATE ?? 'test-results/state';
/**
 * The owner's session, stored by the first run: repeated sign-ins would reach the rate limit.
 */
export const ownerState = `${folder()}/owner.json`;

export function keepKey(key: string): void {
  mkdirSync(folder(), { recursive: true });
  writeFileSync(`${folder()}/key.txt`, key);
}

export function readKey(): string {
  return readFileSync(`${folder()}/key.txt`, 'utf8');
}
