/**
 * A stream that passes each item on when its reader requests it, and shows it to an observer. The
 * reader's pace, errors and way to stop do not change.
 */
export interface Observer<Item> {
  item(item: Item): unknown;
  /** Once. @param error null if the stream is complete */
  end(error: string | null): void;
}

/** @param signal of the caller, who may stop reading without closing the stream */
export function tapStream<Item>(
  source: ReadableStream<Item>,
  observer: Observer<Item>,
  signal: AbortSignal | null,
): ReadableStream<Item> {
  const reader = source.getReader();
  let isOver = false;
  const onAbort = (): void => end('it was stopped by its caller');
  const end = (error: string | null): void => {
    if (isOver) return;
    isOver = true;
    signal?.removeEventListener('abort', onAbort);
    observer.end(error);
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  const show = (item: Item): void => {
    try {
      observer.item(item);
    } catch {
      // Values that cannot be observed are passed on as well.
    }
  };
  return new ReadableStream<Item>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) {
            controller.close();
            end(null);
          } else {
            controller.enqueue(value);
            show(value);
          }
        } catch (error) {
          end(error instanceof Error ? error.message : String(error));
          throw error;
        }
      },
      async cancel(reason) {
        end('it was stopped by its reader');
        await reader.cancel(reason);
      },
    },
    // Nothing is read before the reader requests it.
    { highWaterMark: 0 },
  );
}
