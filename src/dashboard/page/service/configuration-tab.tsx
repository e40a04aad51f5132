// The resolved configuration of a service, with masked secrets.
import { CopyButton } from '../parts/copy-button.tsx';

export const ConfigurationTab = ({ config }: { readonly config: string | null }) =>
  config === null ? (
    <p class="note">The manifest of this service is not known any more.</p>
  ) : (
    <section class="panel" aria-label="Resolved configuration">
      <header class="panel-head">
        <h3>Resolved configuration</h3>
        <CopyButton text={() => config} />
      </header>
      <pre class="panel-body config" tabIndex={0}>
        {config}
      </pre>
    </section>
  );
