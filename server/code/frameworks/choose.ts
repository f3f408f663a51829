import { type RequestedFramework, listRequestedFrameworks } from './requested';
import type { FrameworkRole } from './framework';

/** The main framework precedes the data store, which precedes the test framework. */
const weight: Readonly<Record<FrameworkRole, number>> = { server: 0, view: 0, store: 1, test: 2 };

/**
 * The framework of a request: the first of those with the highest rank. Null if none is requested,
 * or if two exclude each other: then neither is wrong.
 */
export function chooseFramework(request: string): RequestedFramework | null {
  const named = listRequestedFrameworks(request);
  const used = named.filter(({ left }) => !left);
  const stays = used.some(({ framework }) => weight[framework.role] === 0) ? used : named;
  const [first] = [...stays].sort((a, b) => weight[a.framework.role] - weight[b.framework.role]);
  if (
    first === undefined ||
    stays.some(({ framework }) => first.framework.rivals.includes(framework.name))
  )
    return null;
  return first;
}
