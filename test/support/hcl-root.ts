import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Settings of a module in a network of its callers. */
export const MODULE_SETTINGS = {
  region: 'cn-beijing',
  project: '${var.project}',
  tags: { owner: '${var.owner}', ticket: 'NET-1' },
  apiHost: 'api.sandbox.example',
  network: {
    vpcId: '${var.vpc_id}',
    cidrs: ['10.20.0.0/16'],
    subnets: { 'cn-beijing-a': { subnetId: '${var.subnet_id}', cidr: '10.20.1.0/24' } },
  },
  serviceEndpoint: {
    name: '${var.name}',
    serviceName: 'com.volces.privatelink.cn-beijing.epsvc-sandbox',
    scheme: 'https',
    preventDestroy: false,
  },
  check: { wait: '5s' },
};

const NETWORK = `
terraform {
  required_providers {
    volcenginecc = { source = "volcengine/volcenginecc" }
  }
}
variable "name" { type = string }
resource "volcenginecc_vpc_vpc" "this" {
  vpc_name   = var.name
  cidr_block = "10.20.0.0/16"
}
resource "volcenginecc_vpc_subnet" "this" {
  vpc_id      = volcenginecc_vpc_vpc.this.vpc_id
  zone_id     = "cn-beijing-a"
  cidr_block  = "10.20.1.0/24"
  subnet_name = var.name
}
output "vpc_id" { value = volcenginecc_vpc_vpc.this.vpc_id }
output "subnet_id" { value = volcenginecc_vpc_subnet.this.subnet_id }
`;

/** A root as its owners have it: a remote backend, a version of the provider, keys, odd names of teams. */
const ROOT = `
terraform {
  required_providers {
    volcenginecc = { source = "volcengine/volcenginecc", version = "~> 0.0.60" }
  }
  # cloud { } would be refused
  backend "http" {
    address = "http://127.0.0.1:9/state"
  }
}
provider "volcenginecc" {
  alias      = "north"
  region     = "cn-beijing"
  access_key = "theirs"
  secret_key = "theirs"
}
variable "teams" {
  type    = set(string)
  default = ["orders", "ops/night"]
}
module "network" {
  source    = "../../modules/network"
  providers = { volcenginecc = volcenginecc.north }
  for_each  = var.teams
  name      = replace(each.key, "/", "-")
}
module "agent_service" {
  source     = "../../modules/connectivity"
  providers  = { volcenginecc = volcenginecc.north }
  for_each   = var.teams
  depends_on = [terraform_data.first]
  name       = "agents-\${replace(each.key, "/", "-")}"
  owner      = each.key
  project    = "default"
  vpc_id     = module.network[each.key].vpc_id
  subnet_id  = module.network[each.key].subnet_id
}
resource "terraform_data" "first" {
  input = file("\${path.module}/note.txt")
}
output "urls" {
  value = { for team, one in module.agent_service : team => one.service_endpoint_base_url }
}
`;

/** Where the root is in its repository. */
export const ROOT_FOLDER = 'live/production';

/** Writes a repository of HCL, but for the module that `synth` writes to `modules/connectivity`. */
export function writeRepository(folder: string, settings: object = MODULE_SETTINGS): void {
  const files = {
    '.git/HEAD': 'ref: refs/heads/main\n',
    'production.json': JSON.stringify(settings),
    'modules/network/main.tf': NETWORK,
    [`${ROOT_FOLDER}/main.tf`]: ROOT,
    [`${ROOT_FOLDER}/note.txt`]: 'first',
  };
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
