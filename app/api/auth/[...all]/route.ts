import { refuseForeign } from '@/server/trpc';
import { webRuntime } from '@/server/web';

export const dynamic = 'force-dynamic';

async function serve(request: Request): Promise<Response> {
  const runtime = webRuntime();
  const refusal = refuseForeign(request, runtime.ctx.env.webUrl);
  if (refusal !== null) return Response.json({ code: 'REFUSED', message: refusal.message }, { status: refusal.status });
  return runtime.sessions.handle(request);
}

export { serve as GET, serve as POST };
