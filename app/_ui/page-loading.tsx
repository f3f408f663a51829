import { PageBody } from './page-head';
import { Skeleton } from './panel';

interface PageLoadingProps {
  /** As in "Loading verdicts". */
  what: string;
  /** Classes with the sizes of the blocks above the rows. */
  blocks?: readonly string[];
  /** Number of rows of a list. */
  rows?: number;
  narrow?: boolean;
}

/** A page while loading: its final geometry in grey, and nothing in the first 200 ms. */
export function PageLoading({ what, blocks = [], rows = 0, narrow = false }: PageLoadingProps) {
  return (
    <div className="late" role="status" aria-label={`Loading ${what}`}>
      <PageBody narrow={narrow}>
        {blocks.map((size, index) => (
          <Skeleton key={index} className={size} />
        ))}
        {rows === 0 ? null : (
          <div className="grid gap-px">
            {Array.from({ length: rows }, (_, index) => (
              <Skeleton key={index} className="h-[31px]" />
            ))}
          </div>
        )}
      </PageBody>
    </div>
  );
}
