import { handle } from 'hono/vercel';
import { createApp } from '@/server/api/http';
import { webRuntime } from '@/server/web';

export const dynamic = 'force-dynamic';

let handler: ReturnType<typeof handle> | null = null;

/** The same HTTP API as the edge's, under `/api`, for convenience. */
function serve(request: Request): Response | Promise<Response> {
  handler ??= handle(createApp(webRuntime(), '/api'));
  return handler(request);
}

export { serve as DELETE, serve as GET, serve as PATCH, serve as POST, serve as PUT };
