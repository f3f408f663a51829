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
  /** The scope that a key needs; null if it needs no key. */
  readonly scope: KeyScope | null;
  /** Set when the scope also depends on the request; may not require more than `scope`. */
  readonly scopeOf?: (c: Context, deps: HttpDeps) => Promise<KeyScope>;
  /**
   * Whether the project's masking applies to the body before the handler reads it; by default to
   * bodies of the scopes `ingest` and `verify`. `handler`: the handler applies it to a part.
   */
  readonly masking?: 'body' | 'handler' | 'none';
  readonly summary: string;
  readonly body?: z.ZodType;
  readonly query?: z.ZodObject;
  readonly params?: z.ZodObject;
  /** Status → schema of the answer; null when it is not JSON. */
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  /** Absent for routes that are served separately: intake streams its body, probes need no key. */
  readonly handle?: Handle;
}
