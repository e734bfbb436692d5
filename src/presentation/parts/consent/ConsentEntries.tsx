import type { ConsentEntry, ConsentList } from '../../../domain/consent.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { Icon } from '../../components/Icon.tsx';
import { Message } from '../login/Message.tsx';

function Entry({ entry }: { readonly entry: ConsentEntry }) {
  const { t } = useWidget();
  const text = 'scope' in entry ? t(`scope.${entry.scope}`) : entry.text;
  const details = 'scope' in entry ? [t(`scope.${entry.scope}.details`)] : (entry.details ?? []);
  if (details.length === 0) {
    return (
      <span data-part="line">
        <bdi>{text}</bdi>
      </span>
    );
  }
  return (
    <details>
      <summary>
        <bdi>{text}</bdi>
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

interface Props {
  readonly lists: readonly ConsentList[];
  readonly clientName: string;
}

/** The app's requests, each with details that can be expanded. Names from the host or the app are shown as plain text. */
export function ConsentEntries({ lists, clientName }: Props) {
  return lists.map(({ header, entries }, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- sections have no other identity
    <section key={index} data-part="asked">
      <h2 data-part="subtitle">
        {header === null ? <Message id="consent.requests" values={{ clientName }} /> : <bdi>{header}</bdi>}
      </h2>
      <ul data-part="entries">
        {entries.map((entry, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- entries have no other identity
          <li key={place}>
            <Entry entry={entry} />
          </li>
        ))}
      </ul>
    </section>
  ));
}
