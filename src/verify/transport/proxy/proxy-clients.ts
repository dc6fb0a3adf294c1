/** The variables of which the first that is set counts; where it is empty, the next group does. */
type Variables = readonly (readonly string[])[];

/** What a client that looks for a proxy in the environment makes of the variables. */
export interface ProxyClient {
  readonly name: string;
  readonly http: Variables;
  readonly https: Variables;
  readonly noProxy: readonly string[];
  /** Which of its variables hide the other spelling even where they are empty. */
  readonly emptyHides: readonly ('proxy' | 'noProxy')[];
  readonly separator: RegExp;
  /** Whether `*` counts beside other entries, or only alone. */
  readonly starBesideOthers: boolean;
  /** Whether `name` means the names below it too. */
  readonly nameMeansBelow: boolean;
  /** Whether `.name` means the name itself too. */
  readonly dotMeansItself: boolean;
  /** Whether `*.name` is understood, as `.name` is. */
  readonly starDot: boolean;
  /** Whether `name:port` is understood: never, only where the URL names its port, or always. */
  readonly port: 'never' | 'named' | 'always';
  /** The families of which networks are compared with an address in the URL. */
  readonly networks: readonly (4 | 6)[];
  /** Whether an IPv6 address is understood without brackets, and with them. */
  readonly ipv6: readonly ('plain' | 'bracketed')[];
}

const LOWER_FIRST = ['no_proxy', 'NO_PROXY'];
const ALL = ['all_proxy', 'ALL_PROXY'];
const COMMA = /,/;
const COMMA_OR_SPACE = /[\s,]+/;

/** As curl 7.88, Go 1.26, requests 2.34, httpx 0.28, axios 1.21 and undici 7.30 behave. */
export const PROXY_CLIENTS: readonly ProxyClient[] = [
  {
    name: 'curl',
    // An upper-case HTTP_PROXY can be set by a caller of a CGI program; the others look whether they are one.
    http: [['http_proxy'], ALL],
    https: [['https_proxy', 'HTTPS_PROXY'], ALL],
    noProxy: LOWER_FIRST,
    emptyHides: [],
    separator: COMMA_OR_SPACE,
    starBesideOthers: false,
    nameMeansBelow: true,
    dotMeansItself: true,
    starDot: false,
    port: 'never',
    networks: [4],
    ipv6: ['plain'],
  },
  {
    name: 'Go',
    http: [['HTTP_PROXY', 'http_proxy']],
    https: [['HTTPS_PROXY', 'https_proxy']],
    noProxy: ['NO_PROXY', 'no_proxy'],
    emptyHides: [],
    separator: COMMA,
    starBesideOthers: true,
    nameMeansBelow: true,
    dotMeansItself: false,
    starDot: true,
    port: 'always',
    networks: [4, 6],
    ipv6: ['plain'],
  },
  {
    name: 'Python requests',
    http: [['http_proxy', 'HTTP_PROXY'], ALL],
    https: [['https_proxy', 'HTTPS_PROXY'], ALL],
    noProxy: LOWER_FIRST,
    emptyHides: ['proxy'],
    separator: COMMA,
    starBesideOthers: false,
    nameMeansBelow: true,
    dotMeansItself: true,
    starDot: false,
    port: 'named',
    networks: [4],
    ipv6: ['plain'],
  },
  {
    name: 'Python httpx',
    http: [['http_proxy', 'HTTP_PROXY'], ALL],
    https: [['https_proxy', 'HTTPS_PROXY'], ALL],
    noProxy: LOWER_FIRST,
    emptyHides: ['proxy', 'noProxy'],
    separator: COMMA,
    starBesideOthers: true,
    nameMeansBelow: true,
    dotMeansItself: false,
    starDot: false,
    port: 'named',
    networks: [],
    ipv6: ['plain', 'bracketed'],
  },
  {
    name: 'axios',
    http: [['http_proxy', 'HTTP_PROXY'], ALL],
    https: [['https_proxy', 'HTTPS_PROXY'], ALL],
    noProxy: LOWER_FIRST,
    emptyHides: [],
    separator: COMMA_OR_SPACE,
    starBesideOthers: true,
    nameMeansBelow: false,
    dotMeansItself: false,
    starDot: true,
    port: 'always',
    networks: [4, 6],
    ipv6: ['plain', 'bracketed'],
  },
  {
    name: 'undici’s EnvHttpProxyAgent',
    http: [['http_proxy', 'HTTP_PROXY']],
    https: [
      ['https_proxy', 'HTTPS_PROXY'],
      ['http_proxy', 'HTTP_PROXY'],
    ],
    noProxy: LOWER_FIRST,
    emptyHides: ['proxy', 'noProxy'],
    separator: COMMA_OR_SPACE,
    starBesideOthers: false,
    nameMeansBelow: true,
    dotMeansItself: true,
    starDot: true,
    port: 'always',
    networks: [],
    ipv6: ['bracketed'],
  },
];
