import { describe, expect, it } from 'vitest';
import { findRefusal } from '../../../src/sandbox/terraform/hcl.js';

const HONEST = `
# A stack of a network engineer.
terraform {
  required_version = ">= 1.9"
  required_providers {
    volcenginecc = {
      source  = "volcengine/volcenginecc"
      version = "0.0.53"
    }
    null = { source = "registry.terraform.io/hashicorp/null" }
  }
  backend "s3" {
    bucket = "states"
  }
}

provider "volcenginecc" {
  region = var.region
}

variable "region" {
  type    = object({ name = optional(string, "cn-beijing") })
  default = { name = "cn-beijing" }
}

locals {
  names = { for zone in ["a", "b"] : zone => upper("\${zone}-$\${literal}") if zone != (var.region.name) }
  text  = <<-EOT
    call file("x") is text here
    %{ for name in keys(local.names) }\${name}%{ endfor }
  EOT
}

resource "volcenginecc_vpc_vpc" "network" {
  cidr_block = cidrsubnet("10.0.0.0/8", 8, 1) // a comment: file("x")
  dynamic "tags" {
    for_each = local.names
    content {
      key = tags.key
    }
  }
  lifecycle { prevent_destroy = true }
}

resource "terraform_data" "a" { input = "x" }

check "is_open" {
  data "volcenginecc_vpc_vpc" "read" { id = volcenginecc_vpc_vpc.network.id }
  assert {
    condition     = length(local.names) > 0
    error_message = "none"
  }
}

output "names" { value = join(",", [for name in keys(local.names) : name]) }
`;

it('takes the HCL of an engineer', () => {
  expect(findRefusal(HONEST)).toBeUndefined();
});

const BLOCKS: readonly (readonly [text: string, word: string])[] = [
  ['data "terraform_remote_state" "a" { backend = "http" }', 'data terraform_remote_state'],
  ['data terraform_remote_state a { backend = "http" }', 'data terraform_remote_state'],
  ['data "terraform_remote_st\\u0061te" "a" { backend = "http" }', 'data terraform_remote_state'],
  [
    'check "a" {\n  data "terraform_remote_state" "b" { backend = "http" }\n}',
    'data terraform_remote_state',
  ],
  ['data "http" "a" { url = "http://127.0.0.1" }', 'data http'],
  ['data "external" "a" { program = ["sh"] }', 'data external'],
  ['resource "local_file" "a" { filename = "a" }', 'resource local_file'],
  ['module "a" { source = "./a" }', 'module a'],
  ['ephemeral "random_password" "a" {}', 'ephemeral random_password a'],
  ['action "local_command" "a" {}', 'action local_command a'],
  ['terraform {\n  cloud {\n    organization = "x"\n  }\n}', 'cloud'],
  ['terraform { encryption { } }', 'encryption'],
  ['terraform { required_providers { http = { source = "hashicorp/http" } } }', 'http'],
  ['terraform { required_providers { null = { source = "evil/null" } } }', 'null'],
  ['terraform { required_providers { null = { ("source") = "evil/null" } } }', 'null'],
  ['terraform { required_providers { null = { source = "${local.a}" } } }', 'null'],
  ['provider "volcenginecc" { proxy_url = "http://127.0.0.1:1" }', 'proxy_url'],
  ['provider "volcenginecc" { endpoints { cloudcontrolapi = "x" } }', 'endpoints'],
  ['provider "aws" {}', 'provider aws'],
  [
    'resource "null_resource" "a" {\n  provisioner "local-exec" { command = "id" }\n}',
    'provisioner local-exec',
  ],
  ['resource "null_resource" "a" {\n  connection { host = "x" }\n}', 'connection'],
  [
    'resource "null_resource" "a" {\n  dynamic "provisioner" { for_each = [1] }\n}',
    'dynamic provisioner',
  ],
  [
    'removed {\n  from = a.b\n  provisioner "local-exec" { command = "id" }\n}',
    'provisioner local-exec',
  ],
];

it.each(BLOCKS)('refuses %s', (text, word) => {
  expect(findRefusal(text)?.word).toBe(word);
});

const READERS = [
  'file("/etc/hostname")',
  'core::file("/etc/hostname")',
  'core :: file ("/etc/hostname")',
  'core::file /* x */ ("/etc/hostname")',
  '"${file("/etc/hostname")}"',
  '"${"${file("/etc/hostname")}"}"',
  '"%{ if file("/etc/hostname") != "" }x%{ endif }"',
  '<<EOT\n${file("/etc/hostname")}\nEOT\n',
  '<<-EOT\n  $${a} ${ file(\n"/etc/hostname") }\n  EOT\n',
  '(file # x\n("/etc/hostname"))',
  '{ (file("/etc/hostname")) = 1 }',
  'templatefile("a.tpl", {})',
  'templatestring(local.a, {})',
  'fileset(".", "*")',
  'filebase64("a")',
  'abspath(".")',
  'bcrypt("a", 31)',
  'pathexpand("~")',
  'provider::evil::read("a")',
  'a_function_of_tomorrow("a")',
];

describe('in an expression', () => {
  it.each(READERS)('refuses %s', (expression) => {
    const refusal = findRefusal(`output "a" {\n  value = ${expression}\n}\n`);
    expect(refusal?.word).toMatch(/^[\w:]+\(\)$/);
    expect(refusal?.line).toBeGreaterThan(1);
  });

  it.each([
    ['a text without its end', 'value = "a'],
    ['a comment without its end', 'value = 1 /* x'],
    ['an unknown escape', 'value = "\\$"'],
    ['doubled signs before a bracket', 'value = "$$${1}"'],
    ['a carriage return alone', 'value = 1 # \rmodule "a" {}'],
    ['an end of a text after a template', 'value = <<E\n${1}E\n${file("a")}\nE\n'],
    [
      'an end of a text beside a blank that Terraform takes for a space',
      'value = <<E\nE\u0085\nother = file("a")\nmore = <<X\nE\nlast = <<X\nX\n',
    ],
    ['an end of a text beside a mark that is no space', 'value = <<E\nE\ufeff\nE\n'],
    ['a mark of another language', 'value = `a`'],
    ['deep nesting', `value = ${'"${'.repeat(400)}1${'}"'.repeat(400)}`],
    ['a bracket too many', 'value = 1\n}\n}'],
  ])('refuses %s, which Terraform may read in another way', (_, body) => {
    expect(findRefusal(`output "a" {\n  ${body}\n}`)).toBeDefined();
  });
});
