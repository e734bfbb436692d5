import { accessOfEntry, type ConsentEntry, type ConsentList } from '#domain/consent/consent.ts';
import type { ScopeAccess } from '#domain/consent/scope-access.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { Icon } from '../../components/Icon.tsx';
import { Message } from '../login/Message.tsx';

/** An eye, a pencil, a clock, a key, and a question mark. */
const PATHS: Readonly<Record<ScopeAccess | 'unknown', string>> = {
  view: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12m9.5-3a3 3 0 1 1 0 6 3 3 0 0 1 0-6',
  change: 'm4 20 1-4.5L16.5 4 20 7.5 8.5 19zM14 6.5l3.5 3.5',
  lasting: 'M12 7v5l3.5 2M12 2.5a9.5 9.5 0 1 1 0 19 9.5 9.5 0 0 1 0-19',
  full: 'M12 9v4.5m0 3v.01M10.3 3.9 2.2 18a2 2 0 0 0 1.7 3h16.2a2 2 0 0 0 1.7-3L13.7 3.9a2 2 0 0 0-3.4 0',
  unknown: 'M9 9a3 3 0 1 1 4 3c-.9.5-1 1-1 2m0 3v.01M12 2.5a9.5 9.5 0 1 1 0 19 9.5 9.5 0 0 1 0-19',
};

function AccessIcon({ access }: { readonly access: ScopeAccess | 'unknown' | undefined }) {
  if (access === undefined) return null;
  return (
    <svg data-icon="access" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[access]} />
    </svg>
  );
}

/** One permission. A permission beyond reading is also described in words, and full access shows its details. */
function Entry({ entry }: { readonly entry: ConsentEntry }) {
  const { t } = useWidget();
  const access = accessOfEntry(entry);
  const text = 'scope' in entry ? t(`scope.${entry.scope}`) : entry.text;
  const details = 'scope' in entry ? [t(`scope.${entry.scope}.details`)] : (entry.details ?? []);
  const words = (
    <span data-part="words">
      <bdi>{text}</bdi>
      {access !== undefined && access !== 'view' && <span data-part="access">{t(`access.${access}`)}</span>}
    </span>
  );
  if (details.length === 0) {
    return (
      <span data-part="line">
        <AccessIcon access={access} />
        {words}
      </span>
    );
  }
  return (
    <details open={access === 'full'}>
      <summary>
        <AccessIcon access={access} />
        {words}
        <Icon name="expand" />
      </summary>
      <ul data-part="more">
        {details.map((line, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the lines of one entry have no other identity
          <li key={index}>
            <bdi>{line}</bdi>
          </li>
        ))}
      </ul>
    </details>
  );
}

interface EntriesProps {
  readonly lists: readonly ConsentList[];
  readonly clientName: string;
}

/** The app's requests, each with expandable details. Names from a host or an app are shown as plain text. */
export function ConsentEntries({ lists, clientName }: EntriesProps) {
  return lists.map(({ header, entries }, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- sections have no other identity
    <section key={index} data-part="asked">
      <h2 data-part="subtitle">
        {header === null ? <Message id="consent.requests" values={{ clientName }} /> : <bdi>{header}</bdi>}
      </h2>
      <ul data-part="entries">
        {entries.map((entry, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- entries have no other identity
          <li key={place} data-access={accessOfEntry(entry)}>
            <Entry entry={entry} />
          </li>
        ))}
      </ul>
    </section>
  ));
}
