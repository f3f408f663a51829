import { expect, type Page } from '@playwright/test';
import superjson from 'superjson';
import { readInstance } from './instance';

/** Calls a mutation as the page's user. */
export async function callProcedure<Answer = Record<string, unknown>>(
  page: Page,
  procedure: string,
  input: object,
): Promise<Answer> {
  const { webUrl } = readInstance();
  const data = superjson.serialize(input);
  const response = await page.request.post(`${webUrl}/api/trpc/${procedure}`, {
    data,
    headers: { origin: webUrl },
  });
  expect(response.status(), await response.text()).toBe(200);
  const reply = (await response.json()) as {
    readonly result: { readonly data: Parameters<typeof superjson.deserialize>[0] };
  };
  return superjson.deserialize<Answer>(reply.result.data);
}

/** A key of a project, which is shown only once. */
export async function createKeyOf(
  page: Page,
  project: string,
  name: string,
  scopes: readonly string[],
): Promise<string> {
  const created = await callProcedure(page, 'keys.create', { project, name, scopes });
  return (
    Object.values(created).find(
      (value): value is string => typeof value === 'string' && value.startsWith('asy_'),
    ) ?? ''
  );
}

/** An accepted API call: 200, 201 or 202. */
export async function postAs(
  key: string,
  path: string,
  body: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${readInstance().edgeUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  expect([200, 201, 202], text).toContain(response.status);
  return JSON.parse(text) as Record<string, unknown>;
}
