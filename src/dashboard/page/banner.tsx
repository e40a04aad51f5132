// A banner that says if the page is not connected, so that old data is not taken for current data.
import type { PageModel } from './model/page-model.ts';

const bannerText = ({ link, origin, connections }: PageModel): string | undefined => {
  if (link === 'lost')
    return connections === 0 ? 'No answer, trying again…' : 'Connection lost, trying again…';
  if (origin === 'reconnecting')
    return 'The supervisor does not answer, trying again… This is the view of before.';
  if (origin === 'recorded') return 'No supervisor runs. This is what was last recorded.';
  return undefined;
};

export const Banner = ({ model }: { readonly model: PageModel }) => {
  const text = bannerText(model);
  const warnings = model.supervisor?.warnings ?? [];
  return (
    <div class="banners" role="alert">
      {text === undefined ? null : <p class="banner">{text}</p>}
      {warnings.map((warning) => (
        <p class="banner" key={warning}>
          {warning}
        </p>
      ))}
    </div>
  );
};

export const NoSession = () => (
  <main class="empty">
    <h1>This page needs a new link</h1>
    <p>
      The link of the dashboard is valid once it is printed and until the dashboard ends. Open the newest one:
    </p>
    <pre>sup dashboard</pre>
  </main>
);
