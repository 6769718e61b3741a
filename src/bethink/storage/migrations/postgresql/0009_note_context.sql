-- What a note's open words point to, and whose words they are: beside the text, for neither is compared.

alter table notes add column context text collate "C";
alter table notes add column speaker text collate "C";
