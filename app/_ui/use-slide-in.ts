import { type RefObject, useLayoutEffect, useRef } from 'react';

const slideMs = 180;

/**
 * Slides the rows of a list down when others are added above them, so that they do not jump: a
 * movement by transform is not a layout shift. There is no slide with reduced motion, or after
 * scrolling past the first row.
 *
 * @param body has a row element for each of `ids` that is rendered
 */
export function useSlideIn(
  body: RefObject<HTMLTableSectionElement | null>,
  ids: readonly string[],
): void {
  const known = useRef<string | undefined>(undefined);
  const [first] = ids;
  useLayoutEffect(() => {
    const before = known.current;
    known.current = first;
    const area = body.current;
    if (area === null || before === undefined || before === first) return;
    const above = ids.indexOf(before);
    const [top, moved] = [
      area.rows[0]?.getBoundingClientRect().top,
      area.rows[above]?.getBoundingClientRect().top,
    ];
    if (above <= 0 || top === undefined || moved === undefined || top < 0 || moved <= top) return;
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    // New rows slide in from under the header.
    const from = {
      transform: `translateY(${top - moved}px)`,
      clipPath: `inset(${moved - top}px 0 0 0)`,
    };
    area.animate([from, { transform: 'none', clipPath: 'inset(0 0 0 0)' }], {
      duration: slideMs,
      easing: 'ease-out',
    });
  }, [body, first, ids]);
}
