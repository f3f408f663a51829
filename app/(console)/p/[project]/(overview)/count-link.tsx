import Link from 'next/link';

interface CountLinkProps {
  count: number;
  /** What the count is of, for screen readers. */
  name: string;
  /** The list of exactly what is counted. */
  href: string;
  /** The unit of the count when it is not the rows of that list. */
  unit?: 'figures';
}

export function CountLink({ count, name, href, unit }: CountLinkProps) {
  const text = count.toLocaleString('en');
  return (
    <Link
      href={href}
      prefetch={false}
      aria-label={`${text}, ${name}`}
      data-counts={count}
      data-unit={unit}
      className="underline"
    >
      {text}
    </Link>
  );
}
