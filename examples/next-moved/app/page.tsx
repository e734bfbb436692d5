'use client';
import dynamic from 'next/dynamic';

/** The client needs a browser, so the server renders nothing of this page. */
const Home = dynamic(async () => (await import('./home')).Home, { ssr: false });

export default function Page() {
  return <Home />;
}
