/** Long enough for the browser to start saving. */
const urlLifetimeMs = 10_000;

/** Offers a file as a download. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), urlLifetimeMs);
}
