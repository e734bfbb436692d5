import Link from 'next/link';
import { auth } from '../lib/auth';
import { notes } from '../lib/notes';
import { saveNote } from './save-note';

/** The page depends on the visitor, so a navigation waits for the server. */
export const instant = false;

/** Greets by name in the first HTML. */
export default async function Home() {
  const who = await auth({ fresh: true });
  if (who.status !== 'signed-in') {
    return (
      <main>
        <h1>Hello</h1>
        <Link href="/login">Sign in</Link>
      </main>
    );
  }
  const name = who.user?.name.first_name || who.user?.emails[0]?.email;
  return (
    <main>
      <h1>Hello, {name}</h1>
      <form action={saveNote}>
        <label>
          Note <input name="note" key={notes.get(who.user_id)} defaultValue={notes.get(who.user_id)} />
        </label>
        <button type="submit">Save</button>
      </form>
    </main>
  );
}
