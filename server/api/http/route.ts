import type { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ProjectCtx, KeyScope } from '../../access';
import type { HttpDeps } from './deps';

type Handle = (c: Context, project: ProjectCtx, deps: HttpDeps) => Response | Promise<Response>;

/**
 * One route of the HTTP API, declared once: the router, the OpenAPI description, the reference page
 * and the tests' matrix of scopes are derived from it.
 */
export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** With parameters in braces: `/v1/rules/{name}`. */
  readonly path: string;
  /** The path for the router, when a parameter has a pattern. */
  readonly pattern?: string;
  /** The scope that a key needs; null: no key. */
  readonly scope: KeyScope | null;
  /** Set when the scope also depends on the request; may not require more than `scope`. */
  readonly scopeOf?: (c: Context, deps: HttpDeps) => Promise<KeyScope>;
  readonly summary: string;
  readonly body?: z.ZodType;
  readonly query?: z.ZodObject;
  readonly params?: z.ZodObject;
  /** Status → schema of the answer; null when it is not JSON. */
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  /** Absent for routes that are served separately: intake streams its body, probes need no key. */
  readonly handle?: Handle;
}
