import type { ProjectCtx } from '../../access';
import { notFound } from '../../platform';
import { type RouteView, viewRoutes } from './view';

/** The project's routes by name. */
export function listRoutes(ctx: ProjectCtx): Promise<RouteView[]> {
  return viewRoutes(ctx);
}

/** @throws AssayError not_found */
export async function getRoute(ctx: ProjectCtx, name: string): Promise<RouteView> {
  const route = (await viewRoutes(ctx)).find((each) => each.name === name);
  if (route === undefined) throw notFound('route');
  return route;
}
