import { type AskedFramework, frameworksAsked } from './asked';
import type { FrameworkRole } from './framework';

/** What a work is built on comes before what stores its data, and that before what tests it. */
const weight: Readonly<Record<FrameworkRole, number>> = { server: 0, view: 0, store: 1, test: 2 };

/**
 * The one framework of a request: the first of those that weigh most. Null where none is asked for,
 * or where two that exclude each other are: whichever is written then, calling it the wrong one
 * would be a guess.
 */
export function chooseFramework(request: string): AskedFramework | null {
  const named = frameworksAsked(request);
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
