import { type RefObject, useLayoutEffect, useRef } from 'react';

const slideMs = 180;

/**
 * Lets the rows of a list slide down when others come in above them, so that none jumps from under
 * the eyes: what moves by a transform is no layout shift. Whoever asked for less motion, or has
 * scrolled past the first row, sees no slide.
 * @param body has a row element for each of `ids`, as far as they are drawn
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
    // What comes in comes from under the head.
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
