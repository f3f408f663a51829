import { ssoCallbackPath } from '@/server/access';
import { admitSameOrigin } from '@/server/api/trpc';
import { webRuntime } from '@/server/web';

export const dynamic = 'force-dynamic';

async function serve(request: Request): Promise<Response> {
  const runtime = webRuntime();
  // The provider redirects people here: another site by design. The state cookie proves that the
  // attempt began on our own page.
  if (request.method === 'GET' && new URL(request.url).pathname === ssoCallbackPath)
    return runtime.sessions.handle(request);
  const admitted = await admitSameOrigin(request, runtime.ctx.env.webUrl);
  if ('refusal' in admitted)
    return Response.json(
      { code: 'REFUSED', message: admitted.refusal.message },
      { status: admitted.refusal.status },
    );
  return runtime.sessions.handle(admitted.request);
}

export { serve as GET, serve as POST };
