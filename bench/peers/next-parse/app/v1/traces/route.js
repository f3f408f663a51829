// What Next costs a machine's request: the handler parses the body and stores nothing.
export async function POST(request) {
  await request.json();
  return Response.json({});
}
