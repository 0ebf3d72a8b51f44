<?xml version="1.0" encoding="UTF-8"?>
<!-- Makes a page of a reply, for people who open a repository in their browser. -->
<xsl:stylesheet version="1.0"
  xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
  xmlns:oai="http://www.openarchives.org/OAI/2.0/"
  exclude-result-prefixes="oai">
  <xsl:output method="html" encoding="UTF-8" doctype-system="about:legacy-compat"/>

  <xsl:variable name="base" select="/oai:OAI-PMH/oai:request"/>
  <xsl:variable name="verb" select="/oai:OAI-PMH/oai:request/@verb"/>
  <xsl:variable name="prefix" select="/oai:OAI-PMH/oai:request/@metadataPrefix"/>

  <xsl:template match="/oai:OAI-PMH">
    <html lang="en">
      <head>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <title>OAI-PMH: <xsl:value-of select="$verb"/></title>
        <link rel="stylesheet" href="{$base}/style.css"/>
      </head>
      <body>
        <header>
          <h1>OAI-PMH <xsl:value-of select="$verb"/></h1>
          <p>This address is for programs that harvest metadata. You see what they get.</p>
          <nav aria-label="Verbs">
            <a href="{$base}?verb=Identify">Identify</a>
            <a href="{$base}?verb=ListMetadataFormats">Formats</a>
            <a href="{$base}?verb=ListSets">Sets</a>
            <a href="{$base}?verb=ListIdentifiers&amp;metadataPrefix=oai_dc">Identifiers</a>
            <a href="{$base}?verb=ListRecords&amp;metadataPrefix=oai_dc">Records</a>
          </nav>
        </header>
        <main>
          <xsl:apply-templates select="oai:error"/>
          <xsl:apply-templates select="oai:*[local-name() = $verb]"/>
        </main>
        <footer>
          <p>Complete up to <xsl:value-of select="oai:responseDate"/>.</p>
        </footer>
      </body>
    </html>
  </xsl:template>

  <xsl:template match="oai:error">
    <p class="error"><strong><xsl:value-of select="@code"/></strong>:
      <xsl:value-of select="."/></p>
  </xsl:template>

  <xsl:template match="oai:Identify">
    <dl>
      <xsl:for-each select="*">
        <dt><xsl:value-of select="local-name()"/></dt>
        <dd><xsl:value-of select="."/></dd>
      </xsl:for-each>
    </dl>
  </xsl:template>

  <xsl:template match="oai:ListMetadataFormats">
    <xsl:for-each select="oai:metadataFormat">
      <section>
        <h2><xsl:value-of select="oai:metadataPrefix"/></h2>
        <p><a href="{$base}?verb=ListRecords&amp;metadataPrefix={oai:metadataPrefix}">Records</a>,
          <a href="{oai:schema}">schema</a></p>
        <p><code><xsl:value-of select="oai:metadataNamespace"/></code></p>
      </section>
    </xsl:for-each>
  </xsl:template>

  <xsl:template match="oai:ListSets">
    <ul>
      <xsl:for-each select="oai:set">
        <li>
          <a href="{$base}?verb=ListRecords&amp;metadataPrefix=oai_dc&amp;set={oai:setSpec}">
            <xsl:value-of select="oai:setName"/></a>
          <xsl:text> </xsl:text><code><xsl:value-of select="oai:setSpec"/></code>
        </li>
      </xsl:for-each>
    </ul>
    <xsl:apply-templates select="oai:resumptionToken"/>
  </xsl:template>

  <xsl:template match="oai:ListIdentifiers">
    <ul><xsl:for-each select="oai:header"><li><xsl:apply-templates select="."/></li></xsl:for-each></ul>
    <xsl:apply-templates select="oai:resumptionToken"/>
  </xsl:template>

  <xsl:template match="oai:GetRecord|oai:ListRecords">
    <xsl:for-each select="oai:record">
      <section>
        <xsl:apply-templates select="oai:header"/>
        <xsl:apply-templates select="oai:metadata/*|oai:about/*"/>
      </section>
    </xsl:for-each>
    <xsl:apply-templates select="oai:resumptionToken"/>
  </xsl:template>

  <xsl:template match="oai:header">
    <p>
      <a href="{$base}?verb=GetRecord&amp;metadataPrefix=oai_dc&amp;identifier={oai:identifier}">
        <xsl:value-of select="oai:identifier"/></a>,
      changed <xsl:value-of select="oai:datestamp"/>
      <xsl:if test="@status = 'deleted'">, <strong>withdrawn</strong></xsl:if>
      <xsl:for-each select="oai:setSpec">
        <xsl:text> </xsl:text><code><xsl:value-of select="."/></code>
      </xsl:for-each>
    </p>
  </xsl:template>

  <xsl:template match="oai:metadata/*|oai:about/*">
    <h2><xsl:value-of select="local-name()"/></h2>
    <dl><xsl:apply-templates select="*" mode="member"/></dl>
  </xsl:template>

  <xsl:template match="*" mode="member">
    <dt><xsl:value-of select="local-name()"/>
      <xsl:for-each select="@*">
        <small><xsl:text> </xsl:text><xsl:value-of select="."/></small>
      </xsl:for-each>
    </dt>
    <dd>
      <xsl:choose>
        <xsl:when test="*"><dl><xsl:apply-templates select="*" mode="member"/></dl></xsl:when>
        <xsl:when test="starts-with(., 'https://') or starts-with(., 'http://')">
          <a href="{.}" rel="nofollow"><xsl:value-of select="."/></a>
        </xsl:when>
        <xsl:otherwise><xsl:value-of select="."/></xsl:otherwise>
      </xsl:choose>
    </dd>
  </xsl:template>

  <xsl:template match="oai:resumptionToken">
    <xsl:if test="string(.)">
      <p><a href="{$base}?verb={$verb}&amp;resumptionToken={.}">Next page</a>
        <xsl:if test="@completeListSize"> of <xsl:value-of select="@completeListSize"/></xsl:if></p>
    </xsl:if>
  </xsl:template>
</xsl:stylesheet>
