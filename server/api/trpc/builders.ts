import { initTRPC, TRPCError } from '@trpc/server';
import superjson from 'superjson';
import { z, ZodError } from 'zod';
import { openProject, type Permission, type ProjectCtx, type SignedIn } from '../../access';
import {
  asAssayError,
  AssayError,
  asSentence,
  type ErrorCode,
  errorText,
  fieldSentence,
  internalMessage,
  issueDetails,
  newId,
} from '../../platform';
import type { Runtime } from '../../runtime';

/** Every call's context: its process, and a lookup of the signed-in user. */
export interface CallContext {
  readonly runtime: Runtime;
  /**
   * Called inside the procedures, so that unavailable storage becomes a mapped and logged error.
   *
   * @throws AssayError unavailable
   */
  readonly findUser: () => Promise<SignedIn | null>;
  readonly headers: Headers;
  readonly requestId: string;
}

const codeOf: Record<ErrorCode, TRPCError['code']> = {
  invalid_request: 'BAD_REQUEST',
  unauthorized: 'UNAUTHORIZED',
  forbidden: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  conflict: 'CONFLICT',
  too_large: 'PAYLOAD_TOO_LARGE',
  unsupported_media_type: 'UNSUPPORTED_MEDIA_TYPE',
  refused: 'UNPROCESSABLE_CONTENT',
  rate_limited: 'TOO_MANY_REQUESTS',
  unavailable: 'SERVICE_UNAVAILABLE',
  internal: 'INTERNAL_SERVER_ERROR',
};

/** Replaces the text of errors that may contain something no caller should read. */
function ownText(code: TRPCError['code']): string | null {
  if (code === 'PARSE_ERROR') return 'The input is not valid JSON.';
  return code === 'INTERNAL_SERVER_ERROR' ? asSentence(internalMessage) : null;
}

const trpc = initTRPC.context<CallContext>().create({
  transformer: superjson,
  sse: { ping: { enabled: true, intervalMs: 15_000 } },
  errorFormatter({ shape, error, ctx }) {
    const known = error.cause instanceof AssayError ? error.cause : null;
    const details =
      error.cause instanceof ZodError ? issueDetails(error.cause.issues) : (known?.details ?? []);
    const [first] = details;
    const message =
      error.cause instanceof ZodError && first !== undefined
        ? fieldSentence(first, 'the input')
        : (ownText(error.code) ?? errorText({ message: error.message, details }).message);
    // The console shows them at the field, whose name is its label.
    const issues = details.map(({ path, message: text }) => ({ path, message: asSentence(text) }));
    return {
      message,
      code: shape.code,
      data: {
        code: error.code,
        httpStatus: shape.data.httpStatus,
        requestId: ctx?.requestId ?? null,
        issues,
      },
    };
  },
});

export const { router, createCallerFactory } = trpc;

/** The one place that maps errors; logs internal and unavailable ones with the request's id. */
const mapped = trpc.procedure.use(async ({ ctx, path, next }) => {
  const result = await next();
  if (result.ok) return result;
  const { error } = result;
  if (error.code !== 'INTERNAL_SERVER_ERROR' || error.cause === undefined) return result;
  const known = asAssayError(error.cause);
  if (known.code === 'internal' || known.code === 'unavailable') {
    ctx.runtime.ctx.log.error({ err: error.cause, requestId: ctx.requestId, path }, 'call failed');
  }
  throw new TRPCError({ code: codeOf[known.code], message: known.message, cause: known });
});

/** For the one-time links only: the bearer of the token is authenticated by it. */
export const linkProcedure = mapped;

/** For a person's own account only: everything of a project goes through `projectProcedure`. */
export const accountProcedure = mapped.use(async ({ ctx, next }) => {
  const user = await ctx.findUser();
  if (user === null) throw new TRPCError({ code: 'UNAUTHORIZED', message: 'sign in first' });
  return next({ ctx: { ...ctx, user } });
});

/** For the whole installation. */
export const operatorProcedure = accountProcedure.use(async ({ ctx, next }) => {
  if (!ctx.user.operator)
    throw new TRPCError({ code: 'FORBIDDEN', message: 'only an operator can do this' });
  return next({ ctx });
});

/** For data of a project: opens it for the caller, who needs `permission` in it. */
export function projectProcedure(permission: Permission) {
  return accountProcedure
    .input(z.object({ project: z.string().min(1).max(100) }))
    .use(async ({ ctx, input, next }) => {
      const { id, email, operator } = ctx.user;
      const { runtime } = ctx;
      const opened = await openProject(
        runtime.ctx,
        { id, label: email, operator },
        input.project,
        permission,
      );
      /** For streams that outlive their request: whether the person may still read them (S-10). */
      const hasAccess = async (): Promise<boolean> => {
        const now = await runtime.sessions.find(ctx.headers);
        if (now?.id !== id) return false;
        return openProject(
          runtime.ctx,
          { id, label: email, operator },
          input.project,
          permission,
        ).then(
          () => true,
          (error: unknown) => {
            if (error instanceof AssayError) return false;
            throw error;
          },
        );
      };
      return next({
        ctx: {
          ...ctx,
          project: opened.ctx,
          role: opened.project.role,
          projectRow: opened.project,
          hasAccess,
        },
      });
    });
}

/** A call's context from its headers; one lookup of the session for all calls of a batch. */
export function createCallContext(
  runtime: Runtime,
  headers: Headers,
  requestId = newId('req', runtime.ctx.clock.now()),
): CallContext {
  let user: Promise<SignedIn | null> | null = null;
  return {
    runtime,
    headers,
    requestId,
    findUser: () => (user ??= runtime.sessions.find(headers)),
  };
}

/** A person's reason, masked like the input that it may quote (S-129). */
export const maskedReason = async <Text extends string | undefined | null>(
  { runtime, project }: { readonly runtime: Runtime; readonly project: ProjectCtx },
  reason: Text,
): Promise<string | Text> =>
  typeof reason === 'string' ? runtime.masks.text(project.projectId, reason) : reason;
